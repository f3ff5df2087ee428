/** Parameters and results of a run: the context words of `layout.ts`. */
@unmanaged export class Context {
  columns: usize;
  width: i32;
  position: usize;
  status: i32;
  column: i32;
  values: i32;
  longest: i32;
  flags: i32;
  seed: u64;
  head: i32;
  stepCount: i32;
  ids: u64;
  steps: usize;
  symbols: usize;
  defaults: i32;
  depth: i32;
  most: i32;
  binary: i32;
  pick: usize;
  output: usize;
}

/** An instruction for one value of a record, from the schema. */
@unmanaged export class Step {
  operation: i32;
  column: usize;
  a: i32;
  b: i32;
}

/** A column of the table being read, as in `layout.ts`. */
@unmanaged export class Column {
  kind: i32;
  cells: usize;
  states: usize;
  hasStates: i32;
  key: usize;
  keyLength: i32;
  pattern: usize;
  patternLength: i32;
  text: usize;
  textLength: i32;
  textCapacity: i32;
  textBase: i32;
  notAscii: i32;
  ends: usize;
  count: i32;
  capacity: i32;
  slots: usize;
  mask: i32;
  followers: usize;
  before: usize;
  tried: i32;
  hit: i32;
  wire: i32;
  padding: i32;
}

/** The context. The driver obtains its address from `contextAddress`. */
export const context = changetype<Context>(memory.data(88, 16));
