import type { AnyFormat } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import type { AnyFormatWriter } from '../../core/writing/writer.ts';
import { decodeWith, difference } from '../setup/ways/differential.ts';
import { encodeWith } from '../setup/ways/encode-with.ts';
import { toHex } from '../setup/values/hex.ts';
import type { FuzzResult, Subject } from './fuzz.ts';
import { mutate, mutateFew, Random } from './mutate.ts';

/** Options for reading values of a format and writing them without loss. */
interface RoundTrip {
  read: object;
  write: object;
  /** Reduces a value to the part that survives. */
  kept?: (value: unknown) => unknown;
}

const DEFAULTS: readonly RoundTrip[] = [{ read: {}, write: {} }];

/** By format, unless those are the defaults. */
const ROUND_TRIPS: Readonly<Partial<Record<FormatId, readonly RoundTrip[]>>> = {
  // JavaScript writes −0 as 0.
  json: [{ read: { bigints: 'bigint' }, write: { bigints: 'number', nonFinite: 'error' }, kept: withoutNegativeZero }],
  messagepack: [
    { read: { int64: 'bigint' }, write: { references: true } },
    { read: {}, write: {} },
  ],
  avro: [{ read: { framing: 'datum', unions: 'wrapped' }, write: { unions: 'wrapped' } }],
  protobuf: [{ read: { defaults: 'none', unknown: 'keep' }, write: {} }],
  protojson: [{ read: { defaults: 'none' }, write: {} }],
  flatbuffers: [{ read: { identifier: 'ignore' }, write: {} }],
  capnproto: [{ read: { defaults: 'none', packed: false }, write: {} }],
  bson: [
    { read: { types: 'canonical' }, write: { types: 'canonical' } },
    { read: {}, write: {} },
  ],
  arrow: [{ read: { maps: 'map' }, write: {} }],
};
const MAX_FAULTS = 10;

/**
 * Decodes `count` mutated inputs, then encodes and decodes the values of valid ones, which must not change. A writer may
 * reject a value with an EncodeError.
 */
export function fuzzRoundTrips(id: FormatId, format: AnyFormat, writer: AnyFormatWriter, subject: Subject, count: number, seed = 1): FuzzResult {
  const random = new Random(seed);
  const inputs = subject.seeds().filter(({ length }) => length > 0);
  const schema = subject.writeSchema ?? subject.schema;
  const result: FuzzResult = { good: 0, refused: 0, faults: [] };
  for (let run = 0; run < count && result.faults.length < MAX_FAULTS; run += 1) {
    const input = random.pick(inputs);
    // Mostly few changes, so that more inputs stay valid.
    const bytes = random.below(4) === 0 ? mutate(random, input, inputs) : mutateFew(random, input);
    const { read, write, kept = (value: unknown): unknown => value } = random.pick(ROUND_TRIPS[id] ?? DEFAULTS);
    const setting = { options: read, schema };
    let written: Uint8Array | undefined;
    try {
      const value = decodeWith(format, bytes, setting);
      // A writer cannot distinguish such a bigint from the number.
      if (id === 'cbor' && holdsSmallBigint(value)) {
        result.refused += 1;
        continue;
      }
      written = encodeWith(writer, value, { options: write, schema, inTurns: run % 2 === 0, ...(run % 3 === 0 && { chunk: 16 }) });
      const again = decoded(format, written, setting);
      const where = difference(kept(again), kept(value));
      if (where === undefined) result.good += 1;
      else throw new Error(`another value: ${where}`);
    } catch (error) {
      if (['DecodeError', 'LimitError', 'EncodeError'].includes((error as Error).name)) result.refused += 1;
      else
        result.faults.push(`run ${run}: ${String(error)}\n${toHex(bytes)} written as ${written && toHex(written)}, options ${JSON.stringify(read)}`);
    }
  }
  return result;
}

/** Decodes written bytes, which must be valid. */
function decoded(format: AnyFormat, bytes: Uint8Array, setting: object): unknown {
  try {
    return decodeWith(format, bytes, setting);
  } catch (error) {
    throw new Error(`not read back: ${String(error)}`, { cause: error });
  }
}

/** True if the value contains a bigint that a number can hold. */
function holdsSmallBigint(value: unknown, seen = new Set<unknown>()): boolean {
  if (typeof value === 'bigint') return BigInt(Number(value)) === value && Number.isSafeInteger(Number(value));
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value) || seen.has(value)) return false;
  seen.add(value);
  const inner = value instanceof Map ? [...value.keys(), ...value.values()] : value instanceof Set ? [...value] : Object.values(value);
  return inner.some((one) => holdsSmallBigint(one, seen));
}

function withoutNegativeZero(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNegativeZero);
  if (typeof value !== 'object' || value === null) return Object.is(value, -0) ? 0 : value;
  return Object.entries(value).map(([key, inner]) => [key, withoutNegativeZero(inner)]);
}
