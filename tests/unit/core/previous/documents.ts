import fc from '../../../setup/properties/property.ts';

/** A document whose bytes and edits are under the test's control. */
export type Doc = string | number | boolean | null | DocList | DocObject;
/** `space` is white space of JSON around each item. */
export interface DocList {
  kind: 'list';
  items: Doc[];
  space: string;
}
export interface DocObject {
  kind: 'object';
  members: [key: string, value: Doc][];
  space: string;
}

const key = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('id', 'a', 'b', 'name', 'list') },
  fc.constantFrom('__proto__', '1', '0', '', '},{"id":', 'é'),
  fc.string(),
);
const text = fc.oneof(fc.constantFrom('},{"id":1', '],[', '","', '\\', '\\"', '{', 'é😀'), fc.string({ unit: 'grapheme' }));
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 30 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  text,
  fc.constantFrom(null, true, false),
);
const space = fc.constantFrom('', '', '', ' ', '\n  ');

/** Any document. Keys may occur twice. */
export const documents: fc.Arbitrary<Doc> = fc.letrec<{ value: Doc; list: DocList; object: DocObject }>((tie) => ({
  value: fc.oneof({ maxDepth: 5, depthSize: 'small' }, scalar, tie('list'), tie('object'), tie('list')),
  list: fc.record({ kind: fc.constant('list' as const), items: fc.array(tie('value'), { maxLength: 6 }), space }),
  object: fc.record({ kind: fc.constant('object' as const), members: fc.array(fc.tuple(key, tie('value')), { maxLength: 5 }), space }),
})).value;

/** A change of one container of a document. */
export interface Edit {
  kind: 'change' | 'insert' | 'remove' | 'move' | 'swap' | 'reverse' | 'space';
  container: number;
  at: number;
  to: number;
  value: Doc;
  key: string;
}

export const edits: fc.Arbitrary<Edit> = fc.record({
  kind: fc.constantFrom('change' as const, 'change', 'insert', 'remove', 'move', 'swap', 'reverse', 'space'),
  container: fc.nat(),
  at: fc.nat(),
  to: fc.nat(),
  value: documents,
  key,
});

/** The document after an edit. */
export function edited(doc: Doc, edit: Edit): Doc {
  const copy = structuredClone(doc);
  const containers: (DocList | DocObject)[] = [];
  collect(copy, containers);
  const container = containers[edit.container % containers.length];
  if (!container) return edit.kind === 'change' ? edit.value : copy;
  if (edit.kind === 'space') {
    container.space = container.space === '' ? ' ' : '';
    return copy;
  }
  if (container.kind === 'list') editItems<Doc>(container.items, edit, () => edit.value);
  else editItems<[string, Doc]>(container.members, edit, (before) => [before?.[0] ?? edit.key, edit.value]);
  return copy;
}

function editItems<T>(items: T[], { kind, at, to }: Edit, make: (before: T | undefined) => T): void {
  const from = items.length === 0 ? 0 : at % items.length;
  const target = items.length === 0 ? 0 : to % items.length;
  if (kind === 'insert') items.splice(from, 0, make(undefined));
  else if (items.length === 0) return;
  else if (kind === 'change') items[from] = make(items[from]);
  else if (kind === 'remove') items.splice(from, 1);
  else if (kind === 'move') items.splice(target, 0, ...items.splice(from, 1));
  else if (kind === 'reverse') items.reverse();
  else items.splice(from, 1, ...items.splice(target, 1, items[from]!));
}

function collect(doc: Doc, into: (DocList | DocObject)[]): void {
  if (typeof doc !== 'object' || doc === null) return;
  into.push(doc);
  for (const child of doc.kind === 'list' ? doc.items : doc.members.map(([, value]) => value)) collect(child, into);
}

/** The JSON text of a document. */
export function jsonOf(doc: Doc): string {
  if (typeof doc !== 'object' || doc === null) return JSON.stringify(doc);
  const { space: white } = doc;
  const parts =
    doc.kind === 'list' ? doc.items.map(jsonOf) : doc.members.map(([name, value]) => `${JSON.stringify(name)}${white}:${white}${jsonOf(value)}`);
  const inner = parts.length === 0 ? white : white + parts.join(`${white},${white}`) + white;
  return doc.kind === 'list' ? `[${inner}]` : `{${inner}}`;
}
