import { decodeSync } from '../../../main/sync.ts';
import { endlessOf, type Unending } from '../endless.ts';
import type { FormatLine } from '../formats.ts';
import { type Payload, payloadOf } from '../payload.ts';
import type { Shape } from '../shapes.ts';
import type { Call, Way } from '../ways.ts';

/** Bytes that are held after a collection: on the heap, and in buffers. */
export type Measure = () => Promise<number>;

/** A whole run: its bytes, and how often it measures what is held. The first measurement is the base of the others. */
export interface HeldSetting {
  readonly bytes: number;
  readonly marks: number;
  readonly measure: Measure;
}

/** Garbage that a forced collection leaves, chunks on their way, tables that are bounded. */
const SLACK = 12e6;
/** A payload that is kept as a whole is smaller than one that passes, by this factor. */
const WHOLE_SHARE = 8;
/** Bytes of a chunk of it. */
const PIECE = 64 * 1024;
/** The bytes that a call may hold in addition to the payload and the value; a page also has a buffer of 64 MiB that is never written to. */
const MAX_BYTES = 64e6 + ('document' in globalThis ? 2 ** 26 : 0);

/** Describes the bytes that a way holds too many while a payload passes; undefined if it holds none, or if no such payload exists. */
export async function heldTooMuch(way: Way, line: FormatLine, shape: Shape, setting: HeldSetting): Promise<string | undefined> {
  return way.endless ? growthOf(way, line, shape, setting) : excessOf(way, line, shape, setting);
}

/** Ways without end: after an eighth of the bytes, as much is held as after all. */
async function growthOf(way: Way, line: FormatLine, shape: Shape, { bytes, marks, measure }: HeldSetting): Promise<string | undefined> {
  const endless = await endlessOf(line, shape);
  const payload = endless?.payload ?? (await payloadOf(line, shape, 300));
  const parts = way.endless === 'items' ? endless : asMessages(payload);
  const call = callOf(payload);
  if (parts === undefined || call === undefined || way.fits?.(call) === false) return undefined;
  const held: number[] = [];
  const mark = async (): Promise<void> => void held.push(await measure());
  let taken = 0;
  const outcome = await way.run({
    ...call,
    stream: () => streamOf(chunksOf(parts, bytes, marks, mark)),
    ...(way.endless === 'values' && { items: itemsOf(call, bytes, marks, mark) }),
    take: () => (taken += 1),
  });
  if (outcome.error !== undefined) return `ends with ${outcome.error} after ${held.length} of ${marks} parts`;
  if (held.length < marks) return `has read ${held.length} of ${marks} parts`;
  const most = Math.max(...held.slice(1)) - held[0]!;
  return most > SLACK ? `holds ${megabytes(most)} more: ${held.map(megabytes).join(', ')}` : undefined;
}

/** Other ways: the payload, the value, and no more than 64 MB in addition. */
async function excessOf(way: Way, line: FormatLine, shape: Shape, { bytes, marks, measure }: HeldSetting): Promise<string | undefined> {
  if (shape.isDepth) return undefined;
  const small = await payloadOf(line, shape, shape.size);
  const payload = await payloadOf(line, shape, Math.ceil((shape.size * bytes) / WHOLE_SHARE / small.bytes.length));
  const empty = await measure();
  const call = callOf(payload, small);
  if (call === undefined || way.fits?.(call) === false) return undefined;
  const before = await measure();
  let most = 0;
  const mark = async (): Promise<void> => void (most = Math.max(most, await measure()));
  const outcome = await way.run({ ...call, stream: () => streamOf(piecesOf(payload.bytes, marks, mark)) });
  await mark();
  // Some ways expect a list.
  if (outcome.error !== undefined && !outcome.error.includes('no-list')) return `ends with ${outcome.error}`;
  const excess = most - before - (before - empty) - payload.bytes.length;
  return excess > MAX_BYTES
    ? `holds ${megabytes(excess)} beside ${megabytes(payload.bytes.length)} and their value of ${megabytes(before - empty)}`
    : undefined;
}

const NONE = new Uint8Array(0);

/** The call of a valid payload, which is held with its value; undefined for shapes that are never valid. */
function callOf(payload: Payload, earlier = payload): Call | undefined {
  const { format, bytes, options, compiled } = payload;
  try {
    const value = decodeSync(format, bytes, { options, schema: compiled });
    return { payload, earlier, stream: () => streamOf([bytes][Symbol.iterator]()), reference: { value } };
  } catch {
    return undefined;
  }
}

/** A payload in pieces; `mark` is called `marks` times, evenly. */
async function* piecesOf(bytes: Uint8Array<ArrayBuffer>, marks: number, mark: () => Promise<void>): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const step = Math.ceil(bytes.length / marks);
  for (let at = 0; at < bytes.length; at += PIECE) {
    yield bytes.slice(at, at + PIECE);
    if (Math.floor((at + PIECE) / step) > Math.floor(at / step)) await mark();
  }
}

/** A payload as messages. */
function asMessages(payload: Payload): Unending {
  return { payload, head: () => NONE, part: payload.bytes, next: async () => Uint8Array.from(payload.bytes), tail: NONE };
}

/** The chunks of a payload of about this many bytes; `mark` is called `marks` times, evenly. */
async function* chunksOf(
  { head, part, next, tail }: Unending,
  bytes: number,
  marks: number,
  mark: () => Promise<void>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const parts = Math.ceil(bytes / part.length);
  const first = head(parts);
  if (first.length > 0) yield Uint8Array.from(first);
  for (let at = 1; at <= parts; at += 1) {
    yield await next(at - 1);
    if (Math.floor((at * marks) / parts) > Math.floor(((at - 1) * marks) / parts)) await mark();
  }
  if (tail.length > 0) yield Uint8Array.from(tail);
}

/** Items as they arrive, of about this many bytes in total. */
async function* itemsOf({ payload, reference }: Call, bytes: number, marks: number, mark: () => Promise<void>): AsyncGenerator {
  const times = Math.ceil(bytes / payload.bytes.length);
  for (let at = 1; at <= times; at += 1) {
    yield* reference.value as unknown[];
    if (Math.floor((at * marks) / times) > Math.floor(((at - 1) * marks) / times)) await mark();
  }
}

/** A stream that asks for a chunk when it is read. */
function streamOf(chunks: AsyncIterator<Uint8Array<ArrayBuffer>> | Iterator<Uint8Array<ArrayBuffer>>): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream(
    {
      async pull(controller) {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
}

function megabytes(bytes: number): string {
  return `${(bytes / 1e6).toFixed(1)} MB`;
}
