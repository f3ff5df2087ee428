import { loadFormat } from '../../core/formats/loaders.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { resolveLimits } from '../../core/limits.ts';
import { ObjectSink } from '../../core/sinks/objects/objects.ts';
import { toHex } from '../setup/values/hex.ts';
import { Dice as BebopDice, randomModel } from '../unit/core/formats/bebop/random.ts';
import { descriptorSetOf } from '../unit/core/formats/protobuf/compare.ts';
import { Dice as ProtoDice, randomProto, type Syntax } from '../unit/core/formats/protobuf/random.ts';
import { type FuzzResult, isSlow, spent } from './fuzz.ts';
import { mutate, mutateFew, mutateText, Random } from './mutate.ts';

/** A language of schemas. */
export interface SchemaLanguage {
  format: FormatId;
  name: string;
  isText: boolean;
  /** Valid schemas. */
  seeds: Uint8Array[];
  /** Converts mutated bytes to an argument of `compileSchema`. */
  input: (bytes: Uint8Array) => unknown;
}

/** Limits for the time and memory of a schema. */
const SLOW_MS = 1000;
const MAX_MEMORY = 256e6;
const MAX_FAULTS = 10;

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Every language; `readFixture` reads a file of `tests/fixtures`. */
export async function schemaLanguages(readFixture: (path: string) => Promise<Uint8Array>): Promise<SchemaLanguage[]> {
  const protobuf = await loadFormat('protobuf');
  const protos: Uint8Array[] = [await readFixture('protobuf/everything.proto')];
  const descriptors: Uint8Array[] = [await readFixture('protobuf/everything.desc')];
  for (const [index, syntax] of (['proto2', 'proto3', '2023'] satisfies Syntax[]).entries()) {
    const proto = randomProto(new ProtoDice(index), syntax);
    protos.push(bytesOf(proto));
    descriptors.push(descriptorSetOf((await protobuf.compileSchema!({ proto, message: 't.M0' })) as never, 't', syntax));
  }
  const models = Array.from({ length: 6 }, (_, seed) => randomModel(new BebopDice(seed)));
  return [
    { format: 'protobuf', name: '.proto texts', isText: true, seeds: protos, input: protoInput },
    {
      format: 'protobuf',
      name: 'descriptor sets',
      isText: false,
      seeds: descriptors,
      input: (descriptorSet) => ({ descriptorSet, message: 't.M0' }),
    },
    {
      format: 'protobuf',
      name: 'descriptor sets of a fixture',
      isText: false,
      seeds: descriptors.slice(0, 1),
      input: (descriptorSet) => ({ descriptorSet, message: 'fixture.Everything' }),
    },
    {
      format: 'bebop',
      name: '.bop texts',
      isText: true,
      seeds: models.map(({ text }) => bytesOf(text)),
      input: (bytes) => ({ bop: textOf(bytes), record: 'R0' }),
    },
    { format: 'bebop', name: 'binary schemas', isText: false, seeds: models.map(({ binary }) => binary), input: (bop) => ({ bop, record: 'R0' }) },
    { format: 'flatbuffers', name: 'bfbs', isText: false, seeds: [await readFixture('flatbuffers/everything.bfbs')], input: (bfbs) => ({ bfbs }) },
    {
      format: 'flatbuffers',
      name: '.fbs texts',
      isText: true,
      seeds: [await readFixture('flatbuffers/everything.fbs')],
      input: (bytes) => ({ fbs: textOf(bytes) }),
    },
    {
      format: 'capnproto',
      name: '.capnp texts',
      isText: true,
      seeds: [await readFixture('capnproto/test.capnp'), await readFixture('capnproto/unions.capnp')],
      input: (bytes) => ({ capnp: textOf(bytes), struct: 'TestDefaults' }),
    },
    {
      format: 'capnproto',
      name: 'requests',
      isText: false,
      seeds: [await readFixture('capnproto/test.request')],
      input: (request) => ({ request, struct: 'TestAllTypes' }),
    },
    { format: 'avro', name: 'schemas', isText: true, seeds: AVRO.map(bytesOf), input: textOf },
    {
      format: 'avro',
      name: 'pairs of schemas',
      isText: true,
      seeds: AVRO.map(bytesOf),
      input: (bytes) => ({ writer: AVRO[0]!, reader: textOf(bytes) }),
    },
    { format: 'jsbinary', name: 'types', isText: true, seeds: JS_BINARY.map(bytesOf), input: (bytes) => parsed(textOf(bytes)) },
  ];
}

/** Compiles mutated schemas and creates readers. Each must quickly result in a reader or a SchemaError, with little memory. */
export async function fuzzSchemas({ format: id, isText, seeds, input }: SchemaLanguage, count: number, seed = 1): Promise<FuzzResult> {
  const format = await loadFormat(id);
  const random = new Random(seed);
  const limits = resolveLimits();
  const result: FuzzResult = { good: 0, refused: 0, faults: [] };
  for (let run = 0; run < count && result.faults.length < MAX_FAULTS; run += 1) {
    const bytes = mutated(random, isText, seeds);
    const given = input(bytes);
    const before = memory();
    const start = spent();
    try {
      const schema = await format.compileSchema!(given);
      format.createReader(new ObjectSink(), {}, limits, schema);
      result.good += 1;
    } catch (error) {
      if ((error as Error).name === 'SchemaError') result.refused += 1;
      else result.faults.push(`run ${run}: ${String(error)}\n${toHex(bytes)}\n${(error as Error).stack ?? ''}`);
    }
    const time = spent() - start;
    if (isSlow(time, SLOW_MS)) result.faults.push(`run ${run}: took ${Math.round(time)} ms\n${toHex(bytes)}`);
    if (memory() - before > MAX_MEMORY) result.faults.push(`run ${run}: took ${Math.round((memory() - before) / 1e6)} MB\n${toHex(bytes)}`);
  }
  return result;
}

/** A valid schema with a few changes; one in eight with the mutations of payloads, most of which break it. */
function mutated(random: Random, isText: boolean, seeds: readonly Uint8Array[]): Uint8Array {
  const seed = random.pick(seeds);
  if (random.below(8) === 0) return mutate(random, seed, seeds);
  return isText ? bytesOf(mutateText(random, textOf(seed))) : mutateFew(random, seed);
}

/** Memory of heap and buffers, in Node. */
function memory(): number {
  const usage = globalThis.process?.memoryUsage?.();
  return usage ? usage.heapUsed + usage.arrayBuffers : 0;
}

function protoInput(bytes: Uint8Array): object {
  const proto = textOf(bytes);
  return { proto, message: rootOf(proto), imports: { 'shared/colour.proto': COLOUR } };
}

/** The first message of a text, so that some mutated texts contain the root. */
function rootOf(proto: string): string {
  const name = /package\s+([\w.]+)/.exec(proto)?.[1];
  const message = /message\s+(\w+)/.exec(proto)?.[1] ?? 'M';
  return name === undefined ? message : `${name}.${message}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

const COLOUR = 'syntax = "proto3"; package shared; enum Colour { RED = 0; GREEN = 1; BLUE = 2; } message Point { int32 x = 1; }';
const AVRO = [
  `{"type":"record","name":"a.R","aliases":["Q"],"fields":[{"name":"i","type":"int","default":1},{"name":"u","type":["null","long","a.R",
    {"type":"array","items":{"type":"map","values":"double"}}],"default":null},{"name":"e","type":{"type":"enum","name":"E","symbols":["A","B"],
    "default":"A"}},{"name":"f","type":{"type":"fixed","name":"F","size":12,"logicalType":"duration"}},{"name":"d","type":{"type":"bytes",
    "logicalType":"decimal","precision":9,"scale":2},"default":"\\u00ff"},{"name":"t","type":{"type":"long","logicalType":"timestamp-micros"}}]}`,
  `{"type":"record","name":"a.R","fields":[{"name":"i","type":"double"},{"name":"list","type":{"type":"array","items":"string"},"default":["x"]},
    {"name":"r","type":{"type":"record","name":"S","fields":[{"name":"s","type":["null","S"]}]},"default":{"s":null}}]}`,
  '["null",{"type":"map","values":{"type":"error","name":"X","fields":[]}},"string"]',
];
const JS_BINARY = [
  '{"a":"uint","b?":"string","c":[{"d":"float","e":["date"]}],"f":"Buffer","g":"json","h":"oid","i":"regex","j":{},"k?":[[{"l":"boolean"}]]}',
  '[{"a":{"b":{"c":["int"]}}}]',
];
