// Runs in a separate process for `ceilings.node.test.ts`: decodes hostile inputs of a format and prints its peak memory.
import { isTyped, subjectOf } from '../../fuzz/fuzz.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { RowSink } from '../../../core/kernels/row-sink.ts';
import { ObjectSink } from '../../../core/sinks/objects/objects.ts';
import { toHex } from '../values/hex.ts';

const [id, most] = [process.env['UNSPOOL_FORMAT'] as FormatId, Number(process.env['UNSPOOL_INPUTS'])];
/** Memory limit for an input: about 100 bytes per value, plus a string and a binary value. */
const limits = resolveLimits({ values: 100_000, stringLength: 1_000_000, binaryLength: 1_000_000, expansion: 16 });
const CEILING = 100 * limits.values + limits.stringLength + limits.binaryLength + 64e6;

/** Headers that announce more than the input contains, and endless values. */
const HEADS: Partial<Record<FormatId, readonly string[]>> = {
  json: [
    '5b'.repeat(200_000),
    '7b2261223a'.repeat(50_000),
    `22${'78'.repeat(1_100_000)}`,
    `5b${'302c'.repeat(150_000)}`,
    `5b${'5b5d2c'.repeat(80_000)}`,
  ],
  messagepack: [
    'ddffffffff',
    'dd7fffffff'.repeat(2000),
    'dfffffffff',
    'dbffffffff',
    'c6ffffffff',
    'c9ffffffff01',
    'c9ffffffff74',
    `dd000fffff${'90'.repeat(150_000)}`,
  ],
  cbor: [
    '9bffffffffffffffff',
    '9a7fffffff'.repeat(2000),
    'ba7fffffff',
    '5a7fffffff',
    '7a7fffffff',
    'd8445a7fffffff',
    'c25a7fffffff',
    `9f${'80'.repeat(150_000)}`,
    `d81c80${'82d81d00d81d00'.repeat(3)}`,
    '5f'.repeat(1000),
    'd9df',
    'd8338480'.repeat(400),
    `d9010082${'d81c82'.repeat(400)}`,
  ],
  bson: ['ffffff7f', 'ffffff7f026100ffffff7f', 'ffffff7f05610000ffffff7f', '10000000046100ffffff7f', 'ffffff7f036100'.repeat(900)],
  sia: ['2b00e40b5402000000', '2bffffffffffffff7f', '1fffffffffffffff7f', '2aff000000', '2f'.repeat(2000)],
  protobuf: ['0affffffff07', '12ffffffff07', '0b'.repeat(100_000), '2affffff7f'],
  avro: ['feffffffffffffffff01', 'ffffffffffffffffff01', '4f626a01feffffff0f', '4f626a01feffffffffffffffff01'],
  bebop: ['ffffffff', 'ffffff7f01ffffffff', 'ffffff7f'],
  capnproto: ['ffffffff', '0000000000000020', '00000000020000000500000001000000ffffffff', '00000000020000000100000078ffffff'],
  flatbuffers: ['ffffffff', '04000000ffffff7f', 'ffffff7f04000000'],
  jsbinary: ['ffffffffffffffff', 'e0ffffffffffff00', 'c0ffffff', '01c0ffffff'],
};

function* inputs(seeds: readonly Uint8Array[]): Generator<Uint8Array> {
  for (const digits of HEADS[id] ?? []) yield new Uint8Array(Buffer.from(digits, 'hex'));
  // Any four or eight bytes of a valid input may be a length or a count.
  for (const seed of seeds) {
    for (let at = 0; at < seed.length; at += 1) {
      for (const [length, last, fill] of [
        [4, 0x7f, 0xff],
        [4, 0x1f, 0xfd],
        [4, 0xff, 0xff],
        [8, 0x00, 0xff],
      ] as const) {
        const bytes = seed.slice();
        bytes.fill(fill, at, at + length);
        if (at + length <= bytes.length) bytes[at + length - 1] = last;
        yield bytes;
      }
    }
  }
}

const [format, subject] = await Promise.all([loadFormat(id), subjectOf(id)]);
const seeds = subject
  .seeds()
  .map((bytes) => Uint8Array.from(bytes))
  .filter(({ length }) => length > 0 && length < 3000)
  .toSorted((a, b) => a.length - b.length);

function decode(bytes: Uint8Array, run: number): void {
  const chunk = run % 2 === 0 ? bytes.length : 13;
  const columns = run % 4 > 1 ? new RowSink(() => {}, limits) : undefined;
  const sink = columns ?? new ObjectSink((tag, inner) => format.revive?.(tag, inner));
  const reader = format.createReader(sink, subject.options[(run >> 2) % subject.options.length]!, limits, subject.schema);
  for (let at = 0; at < bytes.length; at += chunk) reader.push(bytes.subarray(at, at + chunk));
  reader.end();
  columns?.finish();
}

const result = { inputs: 0, refused: 0, limited: 0, faults: [] as string[] };
for (const [run, seed] of seeds.entries()) decodeTyped(seed, run);
const before = process.resourceUsage().maxRSS;
const spread = seeds.filter((_, index) => index % Math.ceil(seeds.length / 6) === 0);
const total = (HEADS[id]?.length ?? 0) + 4 * spread.reduce((sum, { length }) => sum + length, 0);
const step = Math.max(1, Math.floor(total / most));
let next = 0;
for (const bytes of inputs(spread)) {
  if (next >= (HEADS[id]?.length ?? 0) && next % step > 0) {
    next += 1;
    continue;
  }
  const ways = next < (HEADS[id]?.length ?? 0) ? 4 * subject.options.length : 1;
  for (let way = 0; way < ways; way += 1) decodeTyped(bytes, next + way);
  next += 1;
  result.inputs += 1;
  const held = (process.resourceUsage().maxRSS - before) * 1024;
  if (held > CEILING) result.faults.push(`${toHex(bytes.subarray(0, 2000))}: held ${Math.round(held / 1e6)} MB`);
  if (result.faults.length > 0) break;
}
console.log(JSON.stringify({ ...result, held: process.resourceUsage().maxRSS - before }));

function decodeTyped(bytes: Uint8Array, run: number): void {
  try {
    decode(bytes, run);
  } catch (error) {
    result.faults.push(...(isTyped(error) ? [] : [`${toHex(bytes.subarray(0, 2000))}: ${String(error)}`]));
    result.refused += 1;
    if ((error as Error).name === 'LimitError') result.limited += 1;
  }
}
