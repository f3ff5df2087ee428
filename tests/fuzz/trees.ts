import { countedTarget } from '../../main/encoder/transcode/counted.ts';
import { rewrite } from '../../main/encoder/transcode/rewrite.ts';
import { formatRevive } from '../../core/reading/format-revive.ts';
import { DecodeSession, type SessionSetting } from '../../core/format/decode-session.ts';
import type { CborOptions } from '../../core/formats/cbor/index.ts';
import type { AnyFormat } from '../../core/format/format.ts';
import { loadFormat } from '../../core/formats/loaders.ts';
import { loadWriter } from '../../core/formats/writers.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { AnyFormatWriter } from '../../core/writing/writer.ts';
import { resolveLimits } from '../../core/limits.ts';
import { JsonTextSink } from '../../core/sinks/json/text.ts';
import { decodeWith } from '../setup/ways/differential.ts';
import { toHex } from '../setup/values/hex.ts';
import type { FuzzResult, Subject } from './fuzz.ts';
import { mutate, mutateFew, Random } from './mutate.ts';

/** Target formats, with their options for writing and reading. */
export interface TreeTarget {
  id: FormatId;
  format: AnyFormat;
  writer: AnyFormatWriter;
}

/** Formats without a schema, which hold any value. */
export async function treeTargets(): Promise<TreeTarget[]> {
  const ids: FormatId[] = ['json', 'messagepack', 'cbor', 'bson', 'sia'];
  return await Promise.all(ids.map(async (id) => ({ id, format: await loadFormat(id), writer: await loadWriter(id, { references: true }) })));
}

/** Options for writing targets, used in turn. */
const WRITTEN: Partial<Record<FormatId, readonly object[]>> = {
  json: [
    { bigints: 'string', nonFinite: 'null' },
    { sequence: true, bigints: 'string', nonFinite: 'null' },
  ],
  messagepack: [{}, { references: true }],
  cbor: [{}, { references: true }, { deterministic: 'bytewise' }],
};
const MAX_FAULTS = 10;
/** Bytes of output per value of the expansion limit: 16 characters count as one value, and JSON escapes each in 6 bytes. */
const MAX_BYTES = 96;

/**
 * Writes the values of `count` mutated inputs as trees: as JSON text like a service worker, and in other formats like
 * `transcode`. Each must result in a valid payload within the expansion limit, or a typed error.
 */
export async function fuzzTrees(
  id: FormatId,
  format: AnyFormat,
  targets: readonly TreeTarget[],
  subject: Subject,
  count: number,
  seed = 1,
): Promise<FuzzResult> {
  const random = new Random(seed);
  const inputs = [...subject.seeds(), ...(subject.shared?.() ?? [])].filter(({ length }) => length > 0);
  const limits = resolveLimits();
  const result: FuzzResult = { good: 0, refused: 0, faults: [] };
  for (let run = 0; run < count && result.faults.length < MAX_FAULTS; run += 1) {
    const input = random.pick(inputs);
    const bytes = random.below(4) === 0 ? mutate(random, input, inputs) : mutateFew(random, input);
    const options = subject.options[run % subject.options.length]!;
    const setting: SessionSetting = { id, format, options, limits, schema: subject.schema };
    const target = random.pick(targets);
    const writing = random.pick(WRITTEN[target.id] ?? [{}]);
    const cut = random.below(bytes.length + 1);
    let how = 'JSON text';
    try {
      let written: Uint8Array;
      let again: AnyFormat;
      if (run % 2 === 0) {
        written = await textOf(setting, bytes, cut);
        again = targets.find((one) => one.id === 'json')!.format;
      } else {
        how = `${target.id} ${JSON.stringify(writing)}`;
        written = await transcode(setting, bytes, cut, target, writing);
        again = target.format;
      }
      checkSize(written, bytes, limits.expansion);
      // Reads Maps with keys of all kinds, and the application's tags.
      const isSequence = run % 2 !== 0 && 'sequence' in writing;
      read(again, written, { options: { maps: 'map', ...tagOptions(id, options), ...(isSequence && { sequence: true }) } });
      result.good += 1;
    } catch (error) {
      const { name } = error as Error;
      if (['DecodeError', 'LimitError', 'SchemaError', 'EncodeError'].includes(name)) result.refused += 1;
      else
        result.faults.push(
          `run ${run}: ${String(error)}\n${toHex(bytes)} cut at ${cut}, options ${JSON.stringify(options)}, to ${how}\n${(error as Error).stack ?? ''}`,
        );
    }
  }
  return result;
}

/** The JSON text of a payload, as `responses/local-decode.ts` writes it. */
async function textOf(setting: SessionSetting, bytes: Uint8Array, cut: number): Promise<Uint8Array> {
  const sink = new JsonTextSink(formatRevive(setting.format, undefined), {}, setting.limits);
  const session = new DecodeSession(setting, sink);
  await session.prepare(bytes);
  const pieces: Uint8Array[] = [];
  const take = (): void => {
    const piece = sink.take();
    if (piece !== undefined) pieces.push(piece);
  };
  session.push(bytes.subarray(0, cut));
  take();
  session.push(bytes.subarray(cut));
  session.end();
  take();
  return joined(pieces);
}

/** Transcodes a payload. */
async function transcode(
  setting: SessionSetting,
  bytes: Uint8Array,
  cut: number,
  { id, writer: module }: TreeTarget,
  options: object,
): Promise<Uint8Array> {
  const writer = module.createWriter(options, setting.limits, undefined);
  const takesItems = writer.takesItems || 'sequence' in options;
  const chunks = [bytes.subarray(0, cut), bytes.subarray(cut)].filter(({ length }) => length > 0);
  const input = { next: () => Promise.resolve(chunks.shift()), cancel: () => {} };
  const pieces: Uint8Array[] = [];
  const rewriting = {
    reading: setting,
    revive: undefined,
    writing: { writer, id, takesItems, options, schema: undefined },
    signal: new AbortController().signal,
    counted: countedTarget,
  };
  await rewrite(input as never, rewriting, (chunk) => {
    pieces.push(chunk.slice());
    return Promise.resolve();
  });
  return joined(pieces);
}

function checkSize(written: Uint8Array, bytes: Uint8Array, expansion: number): void {
  const most = (100_000 + bytes.length * expansion) * MAX_BYTES;
  if (written.length > most) throw new Error(`${written.length} bytes, of at most ${most}`);
}

/**
 * Options of CBOR that leave tags to the application. The reader does not check the content of such tags, so that a reader
 * with other options may refuse it.
 */
function tagOptions(id: FormatId, options: object): CborOptions {
  if (id !== 'cbor') return {};
  const { cborx, decimals } = options as CborOptions;
  return { ...(cborx !== undefined && { cborx }), ...(decimals !== undefined && { decimals }) };
}

/** Reads written bytes, which must be valid. */
function read(format: AnyFormat, written: Uint8Array, setting: object): void {
  try {
    decodeWith(format, written, setting);
  } catch (error) {
    throw new Error(`not read back: ${String(error)}, ${toHex(written)}`, { cause: error });
  }
}

function joined(pieces: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}
