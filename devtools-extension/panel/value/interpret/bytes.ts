import { bigVarintAt, isLikelyFloat } from '../../../values/numbers-in-bytes.ts';
import { visible } from '../../../text/visible-text.ts';
import { type Interpretation, uuidOf } from './interpretation.ts';

/** Maximum length of text shown for bytes. */
const MAX_TEXT = 400;

/** Interpretations of bytes: text, packed numbers, a UUID. */
export function interpretBytes(bytes: Uint8Array): Interpretation[] {
  const found: Interpretation[] = [{ name: 'Length', value: `${bytes.length} bytes` }];
  if (bytes.length === 0) return found;
  const text = textOf(bytes.subarray(0, MAX_TEXT * 4));
  if (text !== undefined) found.push({ name: 'Text, UTF-8', value: visible(text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text) });
  found.push(...packedNumbers(bytes));
  const uuid = uuidOf(bytes);
  if (uuid) found.push(uuid);
  return found;
}

/** UTF-8 text without control characters; undefined for other bytes. */
function textOf(bytes: Uint8Array): string | undefined {
  try {
    // `stream` ignores a character cut off at the end.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true });
    return /[^\P{Cc}\t\r\n]/u.test(text) || text === '' ? undefined : text;
  } catch {
    return undefined;
  }
}

/** Number of packed numbers shown. */
const MAX_PACKED = 40;

/** Numbers of a packed field of Protocol Buffers: varints, floats and doubles, each if the bytes fit. */
function packedNumbers(bytes: Uint8Array): Interpretation[] {
  const shown = (values: readonly (number | bigint)[], count: number): string => `${values.join(', ')}${count > values.length ? ', …' : ''}`;
  const found: Interpretation[] = [];
  const varints = varintsOf(bytes);
  if (varints && varints.count > 1) found.push({ name: 'Packed varints', value: shown(varints.values, varints.count) });
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  for (const size of [4, 8] as const) {
    const count = bytes.length / size;
    if (!Number.isInteger(count) || count < 2) continue;
    const read = (at: number): number => (size === 4 ? view.getFloat32(at * size, true) : view.getFloat64(at * size, true));
    const values = Array.from({ length: Math.min(count, MAX_PACKED) }, (_, at) => read(at));
    if (values.every(isLikelyFloat))
      found.push({
        name: size === 4 ? 'Packed floats' : 'Packed doubles',
        value: shown(
          values.map((value) => Number(value.toPrecision(size === 4 ? 7 : 17))),
          count,
        ),
      });
    const fixed = Array.from({ length: Math.min(count, MAX_PACKED) }, (_, at) =>
      size === 4 ? view.getUint32(at * size, true) : view.getBigUint64(at * size, true),
    );
    found.push({ name: `Packed fixed${size * 8}`, value: shown(fixed, count) });
  }
  return found;
}

function varintsOf(bytes: Uint8Array): { values: bigint[]; count: number } | undefined {
  const values: bigint[] = [];
  let count = 0;
  for (let at = 0; at < bytes.length;) {
    const found = bigVarintAt(bytes, at);
    if (!found) return undefined;
    count += 1;
    if (values.length < MAX_PACKED) values.push(found.value);
    at = found.next;
  }
  return { values, count };
}
