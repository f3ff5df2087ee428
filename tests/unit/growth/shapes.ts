/**
 * Shapes of values, each of a given size. Together with a list they cover everything that a reader or writer keeps track of.
 */
export interface Shape {
  name: string;
  /** Size at which superlinear work dominates. */
  size: number;
  make: (size: number) => unknown;
}

function list<Item>(count: number, item: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

/** Shapes of JSON. */
export const JSON_SHAPES: readonly Shape[] = [
  { name: 'records', size: 250, make: (size) => list(size, (at) => ({ id: at, name: `name ${at % 100}`, x: at / 7, none: null })) },
  { name: 'records with lists', size: 133, make: (size) => list(size, (at) => ({ id: at, list: [at, { x: at }], inner: { y: [`${at}`] } })) },
  { name: 'records of many shapes', size: 133, make: (size) => list(size, (at) => ({ [`key${at}`]: at, [`other${at % 97}`]: 'x' })) },
  { name: 'records in a document', size: 250, make: (size) => ({ head: 1, rows: list(size, (at) => ({ id: at, text: `text ${at}` })) }) },
  // Enough for JSON to copy the bytes of both inputs, not those of the larger one alone.
  { name: 'one object of many keys', size: 20_000, make: (size) => Object.fromEntries(list(size, (at) => [`key ${at}`, at])) },
  { name: 'many deep values', size: 6, make: (size) => list(size, () => nested(200, (inner) => [{ inner }])) },
  { name: 'lists in lists', size: 250, make: (size) => list(size, (at) => list(at % 7, (inner) => [inner, 'x'])) },
  { name: 'one long string', size: 70_000, make: (size) => 'é long '.repeat(size / 7) },
  { name: 'a long string of ASCII in a record', size: 70_000, make: (size) => [{ id: 1, text: 'x"\\\n'.repeat(size / 4) }] },
  { name: 'many short strings', size: 1000, make: (size) => list(size, (at) => `text ${at}`) },
  { name: 'many strings, the same', size: 1000, make: (size) => list(size, (at) => `text ${at % 10}`) },
  { name: 'numbers', size: 1666, make: (size) => list(size, (at) => (at % 3 === 0 ? at / 7 : at * 1000)) },
  { name: 'long keys', size: 10, make: (size) => list(size, (at) => ({ [`${'k'.repeat(2000)}${at}`]: at })) },
  { name: 'empty containers', size: 1000, make: (size) => list(size, (at) => (at % 2 === 0 ? [] : {})) },
  { name: 'mixed items', size: 500, make: (size) => list(size, (at) => [at, `s${at}`, null, true, [at], { at }, 0.5][at % 7]) },
];

/** Text of about `size` bytes. */
export interface TextShape {
  name: string;
  /** True for a sequence of values. */
  sequence?: boolean;
  text: (size: number) => string;
}

const inLists = (levels: number, text: string): string => '['.repeat(levels) + text + ']'.repeat(levels);
/** A list of ten texts, each of which repeats a part. */
const texts = (size: number, part: string): string => JSON.stringify(list(10, () => part.repeat(size / part.length / 10)));

/** Texts of JSON in which the ends of items are hard to guess, and texts that are not valid. */
export const JSON_TEXTS: readonly TextShape[] = [
  { name: 'records', text: (size) => JSON.stringify(list(size / 30, (at) => ({ id: at, name: `name ${at % 100}` }))) },
  { name: 'lists that stay open', text: (size) => '['.repeat(size) },
  { name: 'objects that stay open', text: (size) => '{"a":'.repeat(size / 5) },
  { name: 'lists of several items that stay open', text: (size) => '[1,'.repeat(size / 3) },
  { name: 'texts of brackets in nested lists', text: (size) => inLists(900, texts(size, '[')) },
  { name: 'texts of brackets in nested objects', text: (size) => '{"a":'.repeat(900) + texts(size, '[') + '}'.repeat(900) },
  { name: 'texts of braces in nested lists', text: (size) => inLists(900, texts(size, '{')) },
  { name: 'texts of commas', text: (size) => texts(size, ',') },
  { name: 'texts of ends of texts', text: (size) => texts(size, '","') },
  { name: 'texts of records', text: (size) => JSON.stringify(list(10, (at) => ({ a: at, b: '},{"a":1,'.repeat(size / 100) }))) },
  { name: 'white space', text: (size) => `[${list(10, (at) => `${' '.repeat(size / 10)}{"a":${at}}`).join(',')}]` },
  { name: 'deep values with long texts', text: (size) => `[${list(10, () => inLists(500, `"${'x'.repeat(size / 10)}"`)).join(',')}]` },
  { name: 'empty objects in sequence', sequence: true, text: (size) => '{}'.repeat(size / 2) },
  { name: 'empty lists in sequence', sequence: true, text: (size) => '[]'.repeat(size / 2) },
  { name: 'numbers in sequence', sequence: true, text: (size) => '0 '.repeat(size / 2) },
  { name: 'texts in sequence', sequence: true, text: (size) => '"a" '.repeat(size / 4) },
  { name: 'lines of several values', sequence: true, text: (size) => '1 2 3\n'.repeat(size / 6) },
  { name: 'long lines of several values', sequence: true, text: (size) => `${'{} '.repeat(1_000)}\n`.repeat(size / 3_000) },
];

/**
 * Pairs each item of a list with each of another. After `npm test`, `--rest` pairs it with one of them, in turn. `start` is the place of the
 * first, so that lists that begin at different places pair the same items with others.
 */
export function inTurn<One, Other>(list: readonly One[], others: readonly Other[], start = 0): { one: One; other: Other }[] {
  const count = process.env['UNSPOOL_TIER'] === 'rest' ? 1 : others.length;
  return list.flatMap((one, index) => Array.from({ length: count }, (_, more) => ({ one, other: others[(start + index + more) % others.length]! })));
}

export { list };
