/** A JSON payload whose list or sequence may go on without end. */
export interface EndlessJson {
  readonly name: string;
  /** True for a sequence of values. */
  readonly sequence?: boolean;
  /** Keys of the list. Default: the root. */
  readonly path?: readonly string[];
  /** Text before the items, and after them. */
  readonly head: string;
  readonly tail: string;
  /** Text between two items. */
  readonly between: string;
  readonly item: (index: number) => unknown;
  /** Text of an item. Default: that of `JSON.stringify`. */
  readonly indent?: number;
}

const record = (index: number): object => ({ id: index, name: `name ${index % 100}`, tags: ['a', 'b'], at: { x: index / 7, y: -index } });
const listOf = (length: number, item: (at: number) => unknown): unknown[] => Array.from({ length }, (_, at) => item(at));
const list = { head: '[', between: ',', tail: ']' };
const sequence = { head: '', tail: '', sequence: true };

export const ENDLESS_JSON: readonly EndlessJson[] = [
  { name: 'records', ...list, item: record },
  { name: 'indented records', head: '[\n  ', between: ',\n  ', tail: '\n]', item: record, indent: 2 },
  {
    name: 'records in a document',
    head: '{"a":[1,2],"data":{"b":{},"rows":[',
    between: ',',
    tail: '],"c":[3]},"d":4}',
    path: ['data', 'rows'],
    item: record,
  },
  { name: 'records of many shapes', ...list, item: (index) => ({ [`key${index}`]: index, [`other${index % 97}`]: { x: [index] } }) },
  { name: 'records with long lists', ...list, item: (index) => ({ id: index, list: listOf(60, (at) => ({ at, index })) }) },
  { name: 'lists in lists', ...list, item: (index) => [[index, 'x'], [[index]], [1, 2, [3]]] },
  { name: 'long lists in lists', ...list, item: (index) => listOf(200, (at) => [[`${at}`, index]]) },
  { name: 'lists of numbers', ...list, item: (index) => [index / 7, [index, index], [[1, 2], [3]]] },
  { name: 'numbers', ...list, item: (index) => index * 1.5 },
  { name: 'texts', ...list, item: (index) => `text "${index}", [{"id":1},{"id":2}]` },
  { name: 'texts of brackets', ...list, item: (index) => '[{"a":['.repeat(1 + (index % 50)) },
  { name: 'mixed items', ...list, item: (index) => [index, `s${index}`, null, true, [index], { index }, {}, []][index % 8] },
  { name: 'lines', ...sequence, between: '\n', tail: '\n', item: record },
  { name: 'lines of scalars', ...sequence, between: '\n', item: (index) => (index % 2 > 0 ? index : `${index}`) },
  { name: 'indented values', ...sequence, between: '\n', item: record, indent: 2 },
  { name: 'values without a separator', ...sequence, between: '', item: (index) => [{}, [], { index }, [index]][index % 4] },
  { name: 'numbers with a space between them', ...sequence, between: ' ', item: (index) => index },
  { name: 'records after record separators', ...sequence, head: '\u001e', between: '\n\u001e', tail: '\n', item: record },
  { name: 'long values', ...sequence, between: '\n', item: (index) => listOf(100, (at) => ({ at, index })) },
];

/** The text, in parts. */
export function* endlessJson({ head, item, between, tail, indent }: EndlessJson, items: number): Generator<string, void> {
  yield head;
  for (let index = 0; index < items; index += 1) yield (index > 0 ? between : '') + JSON.stringify(item(index), undefined, indent);
  yield tail;
}
