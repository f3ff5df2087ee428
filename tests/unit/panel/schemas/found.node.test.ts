import { create, createFileRegistry, type DescMessage, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ApiSchema, FileDescriptorSetSchema, StructSchema, TypeSchema } from '@bufbuild/protobuf/wkt';
import { describe, expect, test } from 'vitest';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import { findSchemas } from '../../../../devtools-extension/reading/found/find-schemas.ts';
import type { FoundSchemas } from '../../../../devtools-extension/reading/found/types.ts';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { filled, normal } from '../../../setup/panel/filled-message.ts';
import {
  buildApplication,
  buildApplicationWith,
  buildMain,
  CHAT,
  descriptorSetOf,
  GENERATORS,
  type Proto,
  SHOP,
} from '../../../setup/panel/generated-apps.ts';
import { readWhole } from '../read.ts';

const find = (scripts: ReadonlyMap<string, string>): FoundSchemas =>
  findSchemas(Array.from(scripts, ([name, text]) => ({ url: `https://a.test/assets/${name}`, text })));

/** Value that the panel shows for a message of a type, read with the schemas that were found. */
async function shown({ descriptorSet }: FoundSchemas, message: string, bytes: Uint8Array): Promise<unknown> {
  const schema = await protobuf.compileSchema!({ descriptorSet, message });
  const { tree } = await readWhole(bytes, { format: 'protobuf', schema });
  return normal(exportValue(tree!, tree!.root));
}

/** Expects the names of every request and response of a service. */
async function expectNames(found: FoundSchemas, proto: Proto, by: string): Promise<void> {
  const set = await descriptorSetOf(proto);
  const registry = createFileRegistry(fromBinary(FileDescriptorSetSchema, set));
  for (const method of proto.methods) {
    const types = found.methods.find(({ path }) => path === `${proto.service}/${method.name}`);
    expect(types, `${method.name} ${by}`).toBeDefined();
    for (const direction of ['request', 'response'] as const) {
      const desc = registry.getMessage(method[direction])!;
      const bytes = toBinary(desc, create(desc, filled(desc)));
      const exact = await shown({ ...found, descriptorSet: set }, method[direction], bytes);
      expect(await shown(found, types![direction], bytes), `${method.name} ${direction} ${by}`).toEqual(exact);
    }
  }
}

describe('schemas in the scripts of a built application', () => {
  test.each(GENERATORS)(
    'name every field of every message, by whichever tool it is built and minified: %s',
    async (generator) => {
      for (const [builder, scripts] of await buildApplicationWith(generator, SHOP, ['Vite', 'webpack', 'esbuild', 'SWC', 'Closure'])) {
        const found = find(scripts);
        await expectNames(found, SHOP, builder);
        if (generator === 'protobuf.js static')
          expect(found.methods, builder).toContainEqual({ path: 'latest', request: '', response: SHOP.methods[0]!.response });
      }
    },
    300_000,
  );

  test.each(GENERATORS)(
    'name every field of every message of other types, built with Vite: %s',
    async (generator) => {
      await expectNames(find(await buildApplication(generator, CHAT)), CHAT, 'Vite');
    },
    60_000,
  );

  test.each([
    ['type_pb', 'Type', TypeSchema],
    ['api_pb', 'Api', ApiSchema],
    ['struct_pb', 'Struct', StructSchema],
  ] as const)(
    'name every field of every message: google-protobuf with grpc-web, %s',
    async (module, name, desc) => {
      const main = `import * as grpcWeb from 'grpc-web';
import pb from 'google-protobuf/google/protobuf/${module}.js';
const proto = { google: { protobuf: pb } };
const descriptor = new grpcWeb.MethodDescriptor('/test.Registry/Get', grpcWeb.MethodType.UNARY, proto.google.protobuf.${name}, proto.google.protobuf.${name}, (request) => request.serializeBinary(), proto.google.protobuf.${name}.deserializeBinary);
console.log(new grpcWeb.GrpcWebClientBase({}).thenableCall('/test.Registry/Get', new pb.${name}(), {}, descriptor));`;
      const found = find(await buildMain(`google-${module}`, main));
      const types = found.methods.find(({ path }) => path === 'test.Registry/Get');
      expect(types).toMatchObject({ request: `google.protobuf.${name}`, response: `google.protobuf.${name}` });
      const bytes = toBinary(desc as DescMessage, create(desc as DescMessage, filled(desc)));
      const value = JSON.stringify(await shown(found, types!.response, bytes));
      for (const field of desc.fields) expect(value).toContain(`"${field.name}":`);
      expect(value).not.toMatch(/"\d+":/);
    },
    60_000,
  );
});

describe('a search for schemas', () => {
  test('finds none in scripts without any, and none in text that is no script', () => {
    for (const text of [
      '',
      'const proto3 = 1;',
      '<html>protobuf',
      'uint32(10)('.repeat(50),
      '"Cg5ub3QgYSBkZXNjcmlwdG9y"',
      '['.repeat(100_000) + ' fileDesc',
    ]) {
      expect(findSchemas([{ url: 'https://a.test/a.js', text }])).toMatchObject({ messages: [], methods: [] });
    }
  });

  test('takes no code for a type that only resembles one', () => {
    const text = `const protobuf = { encode(a) { return a.uint32(8).int32(a.id); } };
const x = makeMessageType("a b", []); const y = { typeName: "X", methods: { a: { name: "A", I: 1, O: 2 } } };`;
    expect(findSchemas([{ url: 'https://a.test/a.js', text }])).toMatchObject({ messages: [], methods: [] });
  });

  test.each([
    ['if', 'if (r.getFieldNumber() === 7) { var v = r.readString(); m.setName(v); } else { r.skipField(); }'],
    ['a conditional', '7 === r.getFieldNumber() ? m.setName(r.readString()) : r.skipField();'],
    ['if that is not equal', 'if (r.getFieldNumber() != 7) r.skipField(); else m.setName(r.readString());'],
    ['and', 'var n = r.getFieldNumber(); n == 7 && m.setName(r.readString());'],
    ['or', 'r.getFieldNumber() !== 7 || m.setName(r.readString());'],
    ['two comparisons', 'var n = r.getFieldNumber(); n === 7 ? m.setName(r.readString()) : n === 8 ? m.setCount(r.readInt32()) : r.skipField();'],
  ])('reads the fields of a reader that a compiler made a branch of: %s', async (name, code) => {
    const text = `var proto = {}; proto.a.B.deserializeBinaryFromReader = function (m, r) { while (r.nextField()) { if (r.isEndGroup()) break; ${code} } return m; };`;
    const { descriptorSet } = findSchemas([{ url: 'https://a.test/a.js', text }]);
    const { messages } = (await protobuf.compileSchema!({ descriptorSet, message: 'a.B' }))!;
    expect(messages[0]!.fields.map((field) => `${field.name} ${field.number}`)).toEqual([
      'name 7',
      ...(name === 'two comparisons' ? ['count 8'] : []),
    ]);
  });

  test('follows a class that is taken from its namespace by a pattern', () => {
    const text = `var fleet = {}; fleet.v1 = (function () { var v1 = {};
  v1.Bike = (function () { function Bike() {} Bike.encode = function (m, w) { return w.uint32(8).int32(m.id), w; }; Bike.decode = function () {}; return Bike; })();
  v1.Trip = (function () { function Trip() {} Trip.encode = function (m, w) { return w.uint32(10).string(m.name), w; }; Trip.decode = function () {}; return Trip; })();
  return v1; })();
const { Bike, Trip: Ride } = fleet.v1;
async function load() { const answer = await fetch('/bikes'); return Bike.decode(new Uint8Array(await answer.arrayBuffer())); }
async function ride() { const answer = await fetch('/ride'); return Ride.decode(new Uint8Array(await answer.arrayBuffer())); }`;
    const { methods } = findSchemas([{ url: 'https://a.test/a.js', text }]);
    expect(methods).toEqual([
      { path: 'bikes', request: '', response: expect.stringMatching(/Bike$/) as string },
      { path: 'ride', request: '', response: expect.stringMatching(/Trip$/) as string },
    ]);
  });

  test('tells a list from a field whose name ends like one', async () => {
    const text = `var proto = {}; proto.a.B.deserializeBinaryFromReader = function (m, r) { while (r.nextField()) { switch (r.getFieldNumber()) {
  case 1: var v = r.readString(); m.setWordList(v); break;
  case 2: var w = r.readMessage(x, proto.a.B.deserializeBinaryFromReader); m.setRoadMap(x); break;
  case 3: var u = r.isDelimited() ? r.readPackedInt32() : [r.readInt32()]; m.setNumbersList(u); break;
  case 4: m.addTags(r.readString()); break; } } return m; };`;
    const { descriptorSet } = findSchemas([{ url: 'https://a.test/a.js', text }]);
    const { messages } = (await protobuf.compileSchema!({ descriptorSet, message: 'a.B' }))!;
    expect(messages[0]!.fields.map(({ name, repeated }) => `${name}${repeated ? '[]' : ''}`)).toEqual(['wordList', 'roadMap', 'numbers[]', 'tags[]']);
  });
});
