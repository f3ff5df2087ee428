import { Encoder } from 'cbor-x';
import { serialize } from 'bson';
import { Packr } from 'msgpackr';
import type { SessionSetting } from '../../../worker/decode.ts';
import type { AnyFormat } from '../../../worker/formats/format.ts';
import avro from '../../../worker/formats/avro/index.ts';
import bebop from '../../../worker/formats/bebop/index.ts';
import bson from '../../../worker/formats/bson/index.ts';
import capnproto from '../../../worker/formats/capnproto/index.ts';
import cbor from '../../../worker/formats/cbor/index.ts';
import flatbuffers from '../../../worker/formats/flatbuffers/index.ts';
import jsbinary from '../../../worker/formats/jsbinary/index.ts';
import json from '../../../worker/formats/json/index.ts';
import messagepack from '../../../worker/formats/messagepack/index.ts';
import protobuf from '../../../worker/formats/protobuf/index.ts';
import type { FormatId } from '../../../worker/formats/registry.ts';
import sia from '../../../worker/formats/sia/index.ts';
import { resolveLimits } from '../../../worker/limits.ts';
import fc from '../../setup/property.ts';
import { Dice, forSchema, SchemaMaker, ValueMaker } from '../avro/random.ts';
import * as bebopCases from '../bebop/random.ts';
import { anyDocument } from '../bson/arbitrary.ts';
import { encode as encodeCapnProto } from '../capnproto/encode.ts';
import * as capnprotoCases from '../capnproto/random.ts';
import { encode as encodeFlatBuffers } from '../flatbuffers/encode.ts';
import * as flatbuffersCases from '../flatbuffers/random.ts';
import { literalsWithValues } from '../jsbinary/arbitrary.ts';
import { compile, encode as encodeJsBinary } from '../jsbinary/reference.ts';
import { anyValue } from '../messagepack/arbitrary.ts';
import { Dice as ProtobufDice, randomMessage, randomProto } from '../protobuf/random.ts';
import { anyValue as anySiaValue } from '../sia/arbitrary.ts';
import { encode as encodeSia } from '../sia/reference.ts';

/** A payload, and what it is decoded with. */
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

/** Random payloads of each format. */
export const payloads: { readonly [id in FormatId]: fc.Arbitrary<Payload | Promise<Payload>> } = {
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
  jsbinary: literalsWithValues.map(([literal, value]) => ({
    setting: settingFor('jsbinary', jsbinary, {}, compile(literal)),
    bytes: Uint8Array.from(encodeJsBinary(literal, value)),
  })),
};
