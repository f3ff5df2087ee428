import { createPartial } from '../../../main/partial.ts';
import { decodeSync } from '../../../main/sync.ts';
import { difference } from '../../setup/ways/differential.ts';
import { Random } from '../../fuzz/mutate.ts';
import { type State } from '../cases.ts';
import type { FormatLine } from '../formats.ts';
import { failed, type Outcome, outcomeOf } from '../outcome.ts';
import { type Payload, payloadOf } from '../payload.ts';
import { type Shape, SHAPES } from '../shapes.ts';
import type { Call, Way } from '../ways.ts';

/** Bytes of the longest chunk of a stream; some are much shorter. */
const MAX_CHUNK_LENGTH = 8_000;

/** The call of a case. */
export async function callOf(line: FormatLine, shape: Shape, state: State): Promise<Call> {
  const size = Math.max(1, Math.ceil(shape.size * state.share));
  const [made, other] = await Promise.all([payloadOf(line, shape, size), payloadOf(line, shape, Math.ceil(size * 0.9))]);
  // Some shapes are never valid.
  const earlier = (await referenceOf(other)).error === undefined ? other : await payloadOf(line, SHAPES[0]!, 1);
  const random = new Random(line.name.length * 31 + shape.name.length * 7 + state.name.length);
  const payload = { ...made, bytes: state.change(made, random) };
  await payload.format.prepare?.(payload.bytes);
  const { invalidText } = state;
  return {
    payload,
    isDamaged: payload.bytes !== made.bytes,
    earlier,
    stream: () => cut(payload.bytes, size),
    reference: await referenceOf(payload, invalidText),
    ...(shape.limits && { limits: shape.limits }),
    ...(invalidText && { invalidText }),
  };
}

/** Result of reading a payload: the value that was written, or an error. */
async function referenceOf({ format, bytes, options, compiled, shape: { limits } }: Payload, invalidText?: Call['invalidText']): Promise<Outcome> {
  return outcomeOf(() => decodeSync(format, bytes, { options, schema: compiled, limits, invalidText }));
}

/** How the outcome of a way differs from what it must be. */
export async function differing(way: Way, call: Call): Promise<string | undefined> {
  if (way.fits?.(call) === false) return undefined;
  if (call.payload.fails && !call.isDamaged && call.reference.error === undefined) return 'reads invalid bytes';
  const wanted = way.expects ? await way.expects(call.reference, call) : call.reference;
  const found = await way.run(call);
  if (call.payload.line.isOutOfOrder && found.error !== undefined && wanted.error !== undefined) return undefined;
  if (found.error !== wanted.error) return `gives ${found.error ?? 'a value'} instead of ${wanted.error ?? 'a value'}`;
  if (wanted.error === undefined) {
    const { isUnordered } = call.payload.line;
    return isUnordered ? difference(withSortedKeys(found.value), withSortedKeys(wanted.value)) : difference(found.value, wanted.value);
  }
  if (!isSamePlace(way, call, found, wanted)) return `gives the path ${JSON.stringify(found.path)} instead of ${JSON.stringify(wanted.path)}`;
  const lists = way.givesItems ? itemsBefore(call, wanted) : [wanted.items];
  const given = found.items ?? [];
  const items = lists.find((list) => list?.length === given.length) ?? lists[0];
  if (items === undefined) return undefined;
  return items.length === given.length ? difference(given, items) : `gives ${given.length} items before the error instead of ${items.length}`;
}

/** Plain objects with their keys in order. */
function withSortedKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withSortedKeys);
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  const entries = Object.entries(value).map(([key, item]) => [key, withSortedKeys(item)] as const);
  return Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Whether an error has the same path, and where it may be shorter, leads to the same place. */
function isSamePlace({ losesPath }: Way, { payload }: Call, { path: found = [] }: Outcome, { path: wanted = [], error }: Outcome): boolean {
  // A step into a map is its key, or in columns the place of its entry.
  if (losesPath && payload.shape.name.includes('map')) return true;
  if (found.some((step, at) => at < wanted.length && step !== wanted[at])) return false;
  const missing = wanted.length - found.length;
  // A value that has not begun may or may not have its key. In Arrow, neither has the first row when a batch is found to be wrong, and in
  // FlatBuffers the first field of a table whose vtable is wrong.
  const most = error!.includes('truncated') || ['arrow', 'flatbuffers'].includes(payload.line.id) ? 1 : 0;
  return missing >= -most && (losesPath === true || missing <= most);
}

/** The items of the list that came whole before an error; the last one may be a number, whose digits may go on. */
function itemsBefore({ payload, limits, invalidText }: Call, { error }: Outcome): unknown[][] {
  const { format, bytes, options, compiled, path } = payload;
  const partial = createPartial(format, { options, schema: compiled, limits, invalidText });
  const items = (): unknown[] => {
    const list = path.reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], partial.value);
    if (!Array.isArray(list)) return [];
    return partial.state([...path, list.length - 1]) === 'complete' ? (list as unknown[]) : list.slice(0, -1);
  };
  const lists: unknown[][] = [];
  try {
    partial.push(bytes);
    lists.push(items());
    partial.finish();
  } catch (cause) {
    if (failed(cause).error !== error) return [];
  }
  return [...lists, items()];
}

/** A stream of the bytes in chunks of random sizes. */
function cut(bytes: Uint8Array<ArrayBuffer>, seed: number): ReadableStream<Uint8Array<ArrayBuffer>> {
  const random = new Random(seed);
  let at = 0;
  return new ReadableStream({
    pull(controller) {
      const size = 1 + random.below(random.below(4) === 0 ? 50 : MAX_CHUNK_LENGTH);
      if (at < bytes.length) controller.enqueue(bytes.slice(at, at + size));
      else controller.close();
      at += size;
    },
  });
}
