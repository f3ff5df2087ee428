import { describe, expect, test } from 'vitest';
import { findSchemas } from '../../../../devtools-extension/reading/found/find-schemas.ts';
import type { FoundTypes } from '../../../../devtools-extension/reading/found/types.ts';
import { compileSchema } from '../../../../devtools-extension/reading/schemas/compile-schema.ts';

const findIn = (text: string): FoundTypes[] => findSchemas([{ url: 'https://a.test/a.js', text }]).others;

describe('a search for types of Avro, js-binary, FlatBuffers and Bebop', () => {
  const LIBRARY = "throw new TypeError('Unknown basic type: ' + type);";

  test('finds none in scripts without any, in damaged schemas, and in code that only resembles theirs', () => {
    for (const text of [
      '',
      'const schema = { type: "record", name: "A", fields: [{ name: "a", type: "nothing" }] };',
      'const schema = { type: "record", name: "A", fields: [{ name: "a", type: kinds() }] };',
      'const row = { type: "record", name: "A", fields: "all" };',
      `const text = '{"type":"record","name":"A","fields":[{"name"';`,
      'const type = new Type({ id: "uint" });',
      `${LIBRARY} const type = new js.Type({ id: "number" }), other = new js.Type("uint");`,
      'class A { __init(i, bb) {} static getRootAsA() {} id() { return this.bb.__offset(this.bb_pos, 5) ? this.bb.readInt8(1) : 0; } }',
      'const a = { encodeInto(r, v) { v.writeUint32(r.a + r.b); }, readFrom() {} };',
      'const a = { encodeInto(r, v) { if (r.a) { v.writeByte(r.a); other(v); } v.writeAnything(r.b); }, readFrom() {} };',
      '('.repeat(50_000) + '{ type: "record"',
    ]) {
      const types = findIn(text).flatMap((found) => found.types.filter(({ name }) => name !== 'A' || found.format !== 'flatbuffers'));
      expect(types, text.slice(0, 100)).toEqual([]);
    }
  });

  test('does not claim a type for a path unless the code leaves no doubt', () => {
    const schemas = `${LIBRARY} const a = new js.Type({ a: 'uint' }), b = new js.Type({ b: 'uint' });`;
    const claims = (code: string): string[] =>
      findIn(`${schemas}\n${code}`).flatMap(({ methods }) => methods.map(({ path, response }) => `${path} ${response}`));
    expect(claims('async function load() { const r = await fetch("/one"); return a.decode(await r.bytes()); }')).toEqual(['one { a }']);
    expect(claims('async function load() { await fetch("/config"); const r = await fetch("/one"); return a.decode(await r.bytes()); }')).toEqual([]);
    expect(claims('async function load(x) { const r = await fetch("/one"); return (x ? a : b).decode(r); }')).toEqual([]);
    expect(claims('async function load(x) { const r = await fetch("/one"); return x ? a.decode(r) : b.decode(r); }')).toEqual([]);
    expect(claims('let c = a; c = b; async function load() { return c.decode(await fetch("/one")); }')).toEqual([]);
    expect(claims('const socket = new WebSocket("wss://a.test/ticks"); on(socket, (e) => a.decode(e.data));')).toEqual([]);
    expect(claims('function open() { const socket = new WebSocket("wss://a.test/ticks"); socket.onmessage = (e) => a.decode(e.data); }')).toEqual([
      'ticks { a }',
    ]);
  });

  test('takes the names of a type from its fields if minified code has no other', () => {
    const [found] = findIn(
      'const a = { encodeInto(r, v) { v.writeUint32(r.id), v.writeByte(Number(r.done)), b.encodeInto(r.item, v) }, readFrom() {} },' +
        'b = { encodeInto(r, v) { v.writeString(r.name) }, readFrom() {} };',
    );
    expect(found!.types.map(({ name }) => name)).toEqual(['{ id, done, item }', '{ name }']);
  });

  test('leaves out a field whose type the code does not tell, and shows no default that it does not know', async () => {
    const table = (method: string): string =>
      `class T { __init(i, bb) {} static getRootAsT() {} ${method} name() { const o = this.bb.__offset(this.bb_pos, 6); return o ? this.bb.__string(this.bb_pos + o) : null; } }`;
    const fieldsOf = async (method: string): Promise<string[]> => {
      const [found] = findIn(table(method));
      const schema = (await compileSchema({ name: method, format: 'flatbuffers', input: found!.types[0]!.input })) as {
        objects: { fields: { name: string; optional: boolean }[] }[];
      };
      return schema.objects[0]!.fields.map(({ name, optional }) => `${name}${optional ? '?' : ''}`);
    };
    const read = (value: string, otherwise: string): string =>
      `x() { const o = this.bb.__offset(this.bb_pos, 4); return o ? ${value} : ${otherwise}; }`;
    expect(await fieldsOf(read('this.bb.readInt8(this.bb_pos + o)', '7'))).toEqual(['x', 'name']);
    expect(await fieldsOf(read('this.bb.readInt8(this.bb_pos + o)', 'unknown()'))).toEqual(['x?', 'name']);
    expect(await fieldsOf(read('this.bb.__union(obj, this.bb_pos + o)', 'null'))).toEqual(['name']);
    expect(await fieldsOf(read('(obj || new Elsewhere()).__init(this.bb.__indirect(this.bb_pos + o), this.bb)', 'null'))).toEqual(['name']);
  });
});
