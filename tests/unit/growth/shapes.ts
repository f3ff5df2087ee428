/**
 * Shapes of values, each of a given size. Together with a list they cover everything that a reader or writer keeps track of.
 */
export interface Shape {
  name: string;
  /** Size at which superlinear work dominates. */
  size: number;
  make: (size: number) => unknown;
  /** True if the depth grows, which is limited: stopping and resuming may walk all levels each time. */
  isDepth?: boolean;
}

function list<Item>(count: number, item: (at: number) => Item): Item[] {
  return Array.from({ length: count }, (_, at) => item(at));
}

function nested(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = 1;
  for (let level = 0; level < levels; level += 1) value = wrap(value);
  return value;
}

/** Shapes that JSON can express, too. */
export const JSON_SHAPES: readonly Shape[] = [
  { name: 'records', size: 250, make: (size) => list(size, (at) => ({ id: at, name: `name ${at % 100}`, x: at / 7, none: null })) },
  { name: 'records with lists', size: 133, make: (size) => list(size, (at) => ({ id: at, list: [at, { x: at }], inner: { y: [`${at}`] } })) },
  { name: 'records of many shapes', size: 133, make: (size) => list(size, (at) => ({ [`key${at}`]: at, [`other${at % 97}`]: 'x' })) },
  { name: 'records in a document', size: 250, make: (size) => ({ head: 1, rows: list(size, (at) => ({ id: at, text: `text ${at}` })) }) },
  // Enough for JSON to copy the bytes of both inputs, not those of the larger one alone.
  { name: 'one object of many keys', size: 20_000, make: (size) => Object.fromEntries(list(size, (at) => [`key ${at}`, at])) },
  { name: 'nested arrays', isDepth: true, size: 120, make: (size) => nested(size, (inner) => [inner]) },
  { name: 'nested objects', isDepth: true, size: 120, make: (size) => nested(size, (inner) => ({ before: 1, inner, after: 2 })) },
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

/** Shapes beyond JSON. */
export const OTHER_SHAPES: readonly Shape[] = [
  { name: 'one long binary value', size: 16666, make: (size) => new Uint8Array(size).fill(7) },
  { name: 'binary values', size: 500, make: (size) => list(size, (at) => Uint8Array.of(at, at >> 8)) },
  { name: 'dates', size: 500, make: (size) => list(size, (at) => new Date(at * 1e7)) },
];

/** Shapes of formats that have maps. */
export const MAP_SHAPES: readonly Shape[] = [
  { name: 'a map', size: 500, make: (size) => new Map(list(size, (at) => [at, `v${at}`])) },
  { name: 'nested maps', isDepth: true, size: 50, make: (size) => nested(size, (inner) => new Map<unknown, unknown>([[1, inner]])) },
  { name: 'bigints', size: 333, make: (size) => list(size, (at) => 2n ** 60n + BigInt(at)) },
];

/** Wraps a shape in an object, since a BSON document has keys. */
function inDocument(shape: Shape): Shape {
  return { ...shape, make: (size) => ({ value: shape.make(size) }) };
}

/** Shapes for the self-describing formats. */
export const SHAPES = {
  json: JSON_SHAPES,
  messagepack: [...JSON_SHAPES, ...OTHER_SHAPES, ...MAP_SHAPES],
  cbor: [...JSON_SHAPES, ...OTHER_SHAPES, ...MAP_SHAPES],
  bson: [...JSON_SHAPES, ...OTHER_SHAPES].map(inDocument),
  sia: [...JSON_SHAPES, ...OTHER_SHAPES, ...MAP_SHAPES],
} as const;

export { list, nested };
