import { assertUnaltered, isComparable } from '../../core/previous/altered.ts';
import { type HeldBytes, holdBytes } from '../../core/previous/compare.ts';
import { CHANGED, type DecodeItems, type Frame, UNKNOWN } from '../../core/previous/grammars/grammar.ts';
import { COMPARED, grammarOf } from '../../core/previous/grammars/of-format.ts';
import {
  type DecodeSetting,
  holdAhead,
  isRepeated,
  keepWhole,
  recall,
  recallSame,
  remember,
  type Remembered,
  reuse,
  type ReuseSetting,
} from '../../core/previous/remember.ts';
import { COMPARE_MS } from '../../core/previous/tuning.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import { readyFormat } from '../call/formats.ts';
import { countRows, timesOf } from '../call/observe.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions } from '../call/options/options.ts';
import type { Plan } from '../run/plan.ts';
import { type Prepared, readByEngine, settingOf } from '../call/prepare.ts';
import { assertWhole, type Payload } from '../call/input/payload.ts';
import { mayExceed, NOT_PLAIN, parseJson } from '../../core/slicing/json/values.ts';
import { nextTask } from '../../core/platform/platform.ts';
import type { ResultForm } from '../rows/form.ts';
import { isRows } from '../rows/rows.ts';
import { Arrival, chunksOf } from './arrival.ts';
import { keepKnownKeys, rowsForm } from './rows-form.ts';
import { runWhenIdle } from './when-idle.ts';
import { inSlices, Slicer } from '../../core/slicing/slicer.ts';

/** Bytes copied in one step. */
const COPY_BYTES = 4 * 1024 * 1024;

type Chunk = Uint8Array<ArrayBuffer>;

/** Decodes a payload by its plan. */
export type Run = (core: DecoderState, operation: Operation, plan: Plan, prepared: Prepared, payload: Payload) => Promise<unknown>;

/**
 * Decodes a payload and remembers its bytes. If `options.previous` was decoded from remembered bytes, what has the same bytes is
 * the same object in the result: see `core/previous`. Throws a TypeError for formats that are not compared.
 */
export async function decodeAgain(
  core: DecoderState,
  operation: Operation,
  plan: Plan,
  prepared: Prepared,
  payload: Payload,
  { previous, key, checkPrevious }: DecodeOptions,
  run: Run,
): Promise<unknown> {
  const { id } = prepared.entry;
  const { as } = operation.report;
  if (!COMPARED.includes(id)) {
    throw new TypeError(`the option previous does not support ${id}; supported: ${COMPARED.join(', ')}`);
  }
  const { options, limits, revive, schema } = prepared;
  const setting: DecodeSetting = { format: id, as, options, schema: schema?.source, limits, revive };
  const remembered = recallSame(previous, setting);
  if (!remembered) return await decodeAndRemember(core, operation, plan, prepared, payload, setting, run);

  if (checkPrevious && isComparable(previous)) {
    const bytes = remembered.payload.bytes.slice();
    const expected = await run(core, operation, plan, prepared, { bytes, length: bytes.length, transferable: false, notRetryable: false });
    assertUnaltered(previous, expected, rowsForm);
  }
  const slicer = new Slicer(operation.signal, { limit: COMPARE_MS });
  // The decode as usual measures itself, and a comparison says nothing of how fast a decode is.
  operation.measure(() => ({ ...timesOf(slicer), decodeMs: 0 }));
  const given = await settingOfReuse(core, operation, prepared, key);
  const compare = given && ((bytes: HeldBytes) => reuse(previous, remembered, bytes, given));
  const { value, rest } = await compared(operation, prepared, payload, { previous, remembered, compare }, slicer);
  if (value !== UNKNOWN) {
    const { report } = operation;
    report.why = 'compared with the previous value';
    report.route = 'page';
    report.bytes = recall(value)!.payload.bytes.length;
    report.rows = rowsIn(value);
    return value;
  }
  const decoded = await decodeAndRemember(core, operation, plan, prepared, rest, setting, run);
  keepKnownKeys(previous, decoded);
  return decoded;
}

interface Earlier {
  readonly previous: unknown;
  readonly remembered: Remembered;
  /** Makes the value of a payload that is not the same; undefined if payloads like this are not compared. */
  readonly compare: ((bytes: HeldBytes) => Generator<undefined, object>) | undefined;
}

/** The value of a payload, made from the earlier one. If a decode as usual is better, it is `UNKNOWN`, and `rest` is the payload for that. */
async function compared(
  operation: Operation,
  prepared: Prepared,
  payload: Payload,
  { previous, remembered, compare }: Earlier,
  slicer: Slicer,
): Promise<{ value: unknown; rest: Payload }> {
  const { limits } = prepared;
  const source = await chunksOf(payload, limits);
  let whole = payload;
  if (source) {
    const size = payload.compression ? 0 : payload.input!.size;
    const arrival = new Arrival(operation, source, slicer, remembered.payload.bytes.length, size);
    let isWhole = false;
    try {
      if (await arrival.run(isRepeated(previous, remembered, arrival.bytes))) return { value: previous, rest: payload };
      if (compare && !mayExceed(arrival.bytes.ready, limits)) {
        const value = await arrival.run(compare(arrival.bytes));
        if (!mayExceed(arrival.bytes.ready, limits)) return { value, rest: payload };
      }
      isWhole = !arrival.bytes.awaits;
    } catch (error) {
      if (error === CHANGED) return { value: UNKNOWN, rest: arrival.resume(payload) };
      if (error !== UNKNOWN) throw error;
      isWhole = !arrival.bytes.awaits;
    }
    whole = wholePayload(await arrival.rest((chunks) => join(operation, chunks)));
    operation.check();
    if (isWhole) return { value: UNKNOWN, rest: whole };
  } else if (await inSlices(isRepeated(previous, remembered, holdBytes(payload.bytes)), slicer)) {
    return { value: previous, rest: payload };
  } else {
    whole = await gather(operation, payload, prepared);
  }
  if (!compare || mayExceed(whole.bytes.length, limits)) return { value: UNKNOWN, rest: whole };
  try {
    return { value: await inSlices(compare(holdBytes(whole.bytes)), slicer), rest: whole };
  } catch (error) {
    if (error !== UNKNOWN) throw error;
    return { value: UNKNOWN, rest: whole };
  }
}

/** The previous value, which a response with the status 304 stands for. Throws a TypeError if its bytes are not known. */
export function unchanged({ report }: Operation, { previous }: DecodeOptions): unknown {
  const remembered = recall(previous);
  if (remembered?.setting.as !== report.as) {
    throw new TypeError(
      `the response has the status 304, but the option previous was not decoded with it as ${report.as}: request again without If-None-Match`,
    );
  }
  keepWhole(previous, remembered);
  report.format = remembered.setting.format;
  report.why = 'unchanged by the status 304';
  report.route = 'page';
  return previous;
}

/** Number of records in the longest list of a value. */
function rowsIn(value: unknown): number {
  const lists = isRows(value) ? [value] : Object.values(value as object).filter(isRows);
  return lists.reduce((most, { length }) => Math.max(most, length), countRows(value));
}

/** How payloads are compared; undefined if they are decoded as usual. */
async function settingOfReuse(
  core: DecoderState,
  operation: Operation,
  prepared: Prepared,
  key: string | undefined,
): Promise<ReuseSetting | undefined> {
  const { entry, options, revive } = prepared;
  const { as } = operation.report;
  if (as === 'columns' || revive) return undefined;
  const grammar = grammarOf(entry.id, options, prepared.schema?.compiled);
  if (!grammar) return undefined;
  const items = await itemDecoder(core, operation, prepared);
  const decode: DecodeItems = (framed, levels) => items(framed, levels, grammar.frame);
  return { grammar, decode, key, form: as === 'rows' ? rowsForm : undefined };
}

/** Decodes items with the engine's parser, or the format's reader. */
async function itemDecoder(
  core: DecoderState,
  operation: Operation,
  prepared: Prepared,
): Promise<(bytes: Chunk, levels: number, frame: Frame) => unknown> {
  const { limits, revive } = prepared;
  const within = (levels: number): typeof limits => ({ ...limits, depth: limits.depth - levels });
  if (readByEngine(prepared)) {
    return (bytes, levels) => {
      const value = parseJson(bytes, within(levels));
      if (value === NOT_PLAIN) throw UNKNOWN;
      return value;
    };
  }
  const { format, readers } = await readyFormat(core, operation, prepared);
  const setting = settingOf(prepared, format);
  return (bytes, levels, { isSequence }) => {
    const options = isSequence ? { ...setting.options, sequence: true } : setting.options;
    return readers.readAtOnce({ ...setting, options, limits: within(levels) }, bytes, revive);
  };
}

/** Decodes a payload as usual while it arrives, and remembers its bytes. */
async function decodeAndRemember(
  core: DecoderState,
  operation: Operation,
  plan: Plan,
  prepared: Prepared,
  payload: Payload,
  setting: DecodeSetting,
  run: Run,
): Promise<unknown> {
  const { input } = payload;
  if (!input || payload.compression) {
    const whole = await gather(operation, payload, prepared);
    const value = await run(core, operation, plan, prepared, whole);
    remember(value, whole.bytes, setting);
    holdWhenIdle(prepared, operation.report.as, value);
    return value;
  }
  const chunks: Chunk[] = [];
  const next = input.next.bind(input);
  input.next = async () => {
    const chunk = await next();
    // A worker takes the buffer of the chunk.
    if (chunk) chunks.push(plan.where === 'worker' ? chunk.slice() : chunk);
    return chunk;
  };
  const value = await run(core, operation, plan, prepared, payload);
  remember(value, await join(operation, chunks), setting);
  holdWhenIdle(prepared, operation.report.as, value);
  return value;
}

/** Finds where the items of a value lie in its bytes once the page is idle, so that the first comparison need not. */
function holdWhenIdle({ entry, options, revive, schema }: Prepared, as: ResultForm, value: unknown): void {
  if (as === 'columns' || revive || typeof value !== 'object' || value === null) return;
  const grammar = grammarOf(entry.id, options, schema?.compiled);
  if (!grammar) return;
  const form = as === 'rows' ? rowsForm : undefined;
  // The comparison meets the same error, and then decodes as usual.
  runWhenIdle(holdAhead(value, { grammar, form })).catch(() => {});
}

function wholePayload(bytes: Chunk): Payload {
  return { bytes, length: bytes.length, transferable: false, notRetryable: false };
}

/** The payload with all of its bytes, in a buffer that stays as it is. */
async function gather(operation: Operation, payload: Payload, { limits }: Prepared): Promise<Payload> {
  const source = await chunksOf(payload, limits);
  let chunks: Chunk[] = [];
  if (source) {
    for (let chunk = await source.next(); chunk; chunk = await source.next()) chunks.push(chunk);
  } else {
    assertWhole(payload);
    chunks = [payload.bytes];
  }
  operation.check();
  // The caller may use its buffer again.
  const own = chunks.length !== 1 ? undefined : !payload.notRetryable ? chunks[0] : payload.transferable ? taken(chunks[0]!) : undefined;
  return wholePayload(own ?? (await join(operation, chunks)));
}

/** The bytes of a caller, whose buffer is detached; undefined for one that cannot be. */
function taken({ buffer, byteOffset, length }: Chunk): Chunk | undefined {
  try {
    return new Uint8Array(structuredClone(buffer, { transfer: [buffer] }), byteOffset, length);
  } catch {
    // Memory of WebAssembly, or of several buffers of Node.
    return undefined;
  }
}

/** Copies chunks into one buffer. */
async function join(operation: Operation, chunks: readonly Chunk[]): Promise<Chunk> {
  const bytes = new Uint8Array(chunks.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  let step = 0;
  for (const chunk of chunks) {
    for (let from = 0; from < chunk.length; from += COPY_BYTES) {
      const piece = chunk.subarray(from, from + COPY_BYTES);
      bytes.set(piece, at);
      at += piece.length;
      step += piece.length;
      if (step < COPY_BYTES) continue;
      step = 0;
      await nextTask();
      operation.check();
    }
  }
  return bytes;
}
