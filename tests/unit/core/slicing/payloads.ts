import { Encoder } from 'cbor-x';
import { serialize } from 'bson';
import { Packr } from 'msgpackr';
import type { SessionSetting } from '../../../../core/format/decode-session.ts';
import type { AnyFormat } from '../../../../core/format/format.ts';
import arrow from '../../../../core/formats/arrow/index.ts';
import arrowWriter from '../../../../core/formats/arrow/writer.ts';
import avro from '../../../../core/formats/avro/index.ts';
import bebop from '../../../../core/formats/bebop/index.ts';
import bson from '../../../../core/formats/bson/index.ts';
import capnproto from '../../../../core/formats/capnproto/index.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import flatbuffers from '../../../../core/formats/flatbuffers/index.ts';
import jsbinary from '../../../../core/formats/jsbinary/index.ts';
import json from '../../../../core/formats/json/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import { FORMATS } from '../../../../core/formats/registry.ts';
import sia from '../../../../core/formats/sia/index.ts';
import { loadWriter } from '../../../../core/formats/writers.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import fc from '../../../setup/properties/property.ts';
import { encodeWith } from '../../../setup/ways/encode-with.ts';
import { tables } from '../formats/arrow/arbitrary.ts';
import { Dice, forSchema, SchemaMaker, ValueMaker } from '../formats/avro/random.ts';
import * as bebopCases from '../formats/bebop/random.ts';
import { anyDocument } from '../formats/bson/arbitrary.ts';
import { encode as encodeCapnProto } from '../formats/capnproto/encode.ts';
import * as capnprotoCases from '../formats/capnproto/random.ts';
import { encode as encodeFlatBuffers } from '../formats/flatbuffers/encode.ts';
import * as flatbuffersCases from '../formats/flatbuffers/random.ts';
import { literalsWithValues } from '../formats/jsbinary/arbitrary.ts';
import { compile, encode as encodeJsBinary } from '../formats/jsbinary/reference.ts';
import { anyValue } from '../formats/messagepack/arbitrary.ts';
import { Dice as ProtobufDice, randomMessage, randomProto } from '../formats/protobuf/random.ts';
import { anyValue as anySiaValue } from '../formats/sia/arbitrary.ts';
import { encode as encodeSia } from '../formats/sia/reference.ts';

/** Payload, with its decoding options. */
export interface Payload {
  setting: SessionSetting;
  bytes: Uint8Array;
}

export function settingFor(id: FormatId, format: unknown, options: object = {}, schema?: unknown): SessionSetting {
  return { id, format: format as AnyFormat, options, limits: resolveLimits(), schema };
}

const utf8 = new TextEncoder();
const seeds = fc.integer({ min: 0, max: 1_000_000 });
const structured = { structuredClone: true };

type Payloads = fc.Arbitrary<Payload | Promise<Payload>>;

/** JSON values in a format. */
const fromJson = (id: FormatId): Payloads =>
  fc.json({ maxDepth: 5 }).map(async (text) => ({
    setting: settingFor(id, await loadFormat(id)),
    bytes: encodeWith(await loadWriter(id), JSON.parse(text)),
  }));

/** Random payloads of each format, with values that only it has. */
const OWN: Readonly<Partial<Record<FormatId, Payloads>>> = {
  json: fc.json({ maxDepth: 5 }).map((text) => ({ setting: settingFor('json', json), bytes: utf8.encode(text) })),
  messagepack: anyValue({ bigint: 'int64', undefined: true, dates: true, bytes: true, maps: true, classes: true, shared: true }).map((value) => ({
    setting: settingFor('messagepack', messagepack, structured),
    bytes: Uint8Array.from(new Packr(structured).pack(value)),
  })),
  cbor: anyValue({ undefined: true, dates: true, shared: true }).map((value) => ({
    setting: settingFor('cbor', cbor),
    bytes: Uint8Array.from(new Encoder(structured).encode(value)),
  })),
  bson: anyDocument.map((value) => ({ setting: settingFor('bson', bson), bytes: Uint8Array.from(serialize(value, { ignoreUndefined: false })) })),
  sia: anySiaValue(false).map((value) => ({ setting: settingFor('sia', sia), bytes: Uint8Array.from(encodeSia(value)) })),
  avro: seeds.map((seed) => {
    const dice = new Dice(seed);
    const schema = new SchemaMaker(dice).make();
    const bytes = forSchema(schema)
      .toBuffer(new ValueMaker(dice, schema, 'auto').make(schema))
      .slice();
    return { setting: settingFor('avro', avro, {}, avro.compileSchema!(schema)), bytes };
  }),
  protobuf: seeds.map(async (seed) => {
    const dice = new ProtobufDice(seed);
    const schema = (await protobuf.compileSchema!({ proto: randomProto(dice, 'proto3'), message: 't.M0' }))!;
    const bytes = randomMessage(dice, schema, schema.root, { orderly: true, unknown: true, wrongTypes: false });
    return { setting: settingFor('protobuf', protobuf, {}, schema), bytes: Uint8Array.from(bytes) };
  }),
  bebop: seeds.map(async (seed) => {
    const dice = new bebopCases.Dice(seed);
    const model = bebopCases.randomModel(dice);
    const schema = await bebop.compileSchema!({ bop: model.binary, record: model.root });
    return { setting: settingFor('bebop', bebop, {}, schema), bytes: bebopCases.encode(model, bebopCases.randomValue(dice, model)) };
  }),
  flatbuffers: seeds.map((seed) => {
    const dice = new flatbuffersCases.Dice(seed);
    const schema = flatbuffersCases.randomSchema(dice);
    const bytes = encodeFlatBuffers(schema, flatbuffersCases.randomValue(dice, schema), { identifier: schema.identifier || undefined! });
    return { setting: settingFor('flatbuffers', flatbuffers, {}, schema), bytes };
  }),
  capnproto: seeds.map((seed) => {
    const dice = new capnprotoCases.Dice(seed);
    const model = capnprotoCases.randomModel(dice);
    const packed = dice.chance(0.3);
    const bytes = encodeCapnProto(model, capnprotoCases.randomValue(dice, model), packed);
    return { setting: settingFor('capnproto', capnproto, { packed }, model.schema), bytes };
  }),
  arrow: tables.map((rows) => ({ setting: settingFor('arrow', arrow), bytes: encodeWith(arrowWriter, rows) })),
  jsbinary: literalsWithValues.map(([literal, value]) => ({
    setting: settingFor('jsbinary', jsbinary, {}, compile(literal)),
    bytes: Uint8Array.from(encodeJsBinary(literal, value)),
  })),
};

/** Random payloads of each format. */
export const payloads = Object.fromEntries(FORMATS.map(({ id }) => [id, OWN[id] ?? fromJson(id)])) as Record<FormatId, Payloads>;
