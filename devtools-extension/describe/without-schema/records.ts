import * as is from '../../../core/sinks/spans/tree.ts';
import type { SpanTree } from '../../../core/sinks/spans/tree.ts';

/** Start of a record: the id of its keys, and whether it defines them. */
interface RecordHead {
  id: string;
  isDefinition: boolean;
}

const MAX_KEYS = 12;

/** Entries that define keys, by tree and id, in order. */
const known = new WeakMap<SpanTree, Map<string, number[]>>();

/** Keys of a record, and where they are defined. Empty for other entries. */
export function recordNote(tree: SpanTree, node: number, headOf: (bytes: Uint8Array, at: number) => RecordHead | undefined): string {
  const { kinds, values, count } = tree.data;
  const head = kinds[node] === is.RECORD ? headOf(tree.bytes, values[node]!) : undefined;
  if (!head) return '';
  let definitions = known.get(tree);
  if (!definitions) {
    known.set(tree, (definitions = new Map()));
    for (let at = 1; at < count; at += 1) {
      const found = kinds[at] === is.RECORD ? headOf(tree.bytes, values[at]!) : undefined;
      if (!found?.isDefinition) continue;
      const places = definitions.get(found.id);
      if (places) places.push(at);
      else definitions.set(found.id, [at]);
    }
  }
  const keys = tree.children(node, MAX_KEYS + 1).map((child) => String(tree.key(child)));
  const shown = `${keys.slice(0, MAX_KEYS).join(', ')}${keys.length > MAX_KEYS ? ', …' : ''}`;
  if (head.isDefinition) return `defines ${head.id}: ${shown}`;
  const definition = definitions.get(head.id)?.findLast((at) => at < node);
  return `${shown}: keys ${definition === undefined ? 'not defined in the body' : `defined at byte ${values[definition]!}`}`;
}

/** Record of msgpackr: `d4 72 id`, `d5 72 id id` or the id alone, optionally after `d6 69` and 4 bytes. */
export function messagePackRecord(bytes: Uint8Array, start: number): RecordHead | undefined {
  const at = bytes[start] === 0xd6 && bytes[start + 1] === 0x69 ? start + 6 : start;
  const token = bytes[at]!;
  const hex = (place: number): string => (bytes[place] ?? 0).toString(16).padStart(2, '0');
  if (token >= 0x40 && token < 0x80) return { id: `0x${hex(at)}`, isDefinition: false };
  const isDefinition = (token === 0xd4 || token === 0xd5) && bytes[at + 1] === 0x72;
  return isDefinition ? { id: `0x${hex(at + 2)}`, isDefinition } : undefined;
}

/** Record of cbor-x: tag 0xdfff or 105 around an array with the record's tag, or that tag alone; optionally after tag 28. */
export function cborRecord(bytes: Uint8Array, start: number): RecordHead | undefined {
  const at = bytes[start] === 0xd8 && bytes[start + 1] === 0x1c ? start + 2 : start;
  const tag = argument(bytes, at);
  if (bytes[at]! >> 5 !== 6) return undefined;
  if (tag.value !== 0xdfff && tag.value !== 105) return { id: `tag ${tag.value}`, isDefinition: false };
  return { id: `tag ${argument(bytes, argument(bytes, tag.next).next).value}`, isDefinition: true };
}

/** Argument of a head (RFC 8949 section 3). */
function argument(bytes: Uint8Array, at: number): { value: number; next: number } {
  const information = (bytes[at] ?? 0) & 31;
  const size = information >= 24 && information <= 27 ? 1 << (information - 24) : 0;
  let value = size > 0 ? 0 : information;
  for (let i = 1; i <= size; i += 1) value = value * 256 + (bytes[at + i] ?? 0);
  return { value, next: at + 1 + size };
}
