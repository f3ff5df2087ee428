/** The text of `npx unspool show`; tests/e2e/payload-commands.test.ts runs the command. */
import { encode as encodeCbor } from 'cbor-x';
import { Packr } from 'msgpackr';
import protobufjs from 'protobufjs';
import { describe, expect, test } from 'vitest';
import type { Look } from '../../../../main/cli/outline.ts';
import type { FileFormat } from '../../../../main/cli/payload-file.ts';
import { shown } from '../../../../main/cli/show.ts';

const LOOK: Look = { head: 3, width: undefined, isColored: false };

async function* chunks(bytes: Uint8Array, size = bytes.length): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function textOf(bytes: Uint8Array | string, look: Partial<Look> = {}, from?: FileFormat, schema?: object): Promise<string> {
  const payload = typeof bytes === 'string' ? Buffer.from(bytes) : bytes;
  const given = schema && { format: from!.format, schema };
  let text = '';
  for await (const line of shown({ source: chunks(payload, 7), from, schema: given }, { ...LOOK, ...look })) text += line;
  return text;
}

describe('the outline of a payload', () => {
  test('has the offset, the key, the value and the type of each value', async () => {
    expect(await textOf('{"a": 1, "b": [true, null, "x\\n"], "c d": 0.10}', { head: 9 })).toBe(`JSON, 47 bytes
 0  {3 keys}  object
 6    a: 1  integer
14    b: [3 items]  array
15      0: true  boolean
21      1: null  null
27      2: "x\\n"  string
42    c d: 0.10  float
`);
  });

  test('has a table for a list of records, and says how many more there are', async () => {
    const rows = Array.from({ length: 5 }, (_, id) => ({ id, name: `n${id}`, ...(id % 2 && { half: id / 2 }), at: [id] }));
    expect((await textOf(encodeCbor({ rows }))).split('\n').map((line) => line.trim())).toEqual([
      'CBOR, 137 bytes',
      '0  {1 key}  object',
      '8    rows: [5 items]  array',
      'id  name    at         half',
      'integer  string  array     float',
      '9              0  n0      [1 item]',
      '29              1  n1      [1 item]    0.5',
      '63              2  n2      [1 item]',
      '… 2 more records',
      '',
    ]);
  });

  test('shortens long lists, texts and lines, and escapes what a terminal would obey', async () => {
    const text = await textOf(JSON.stringify({ list: [1, 2, 3, 4, 5], ['\u001b[31m']: `\u001b]0;x\u0007${'a'.repeat(500)}\u202e` }), { width: 40 });
    expect(text).toContain('… 2 more values');
    expect(Math.max(...text.split('\n').map((line) => line.length))).toBe(40);
    // oxlint-disable-next-line no-control-regex -- these are what it looks for
    expect(text).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e]/);
  });

  test('has colors if the terminal has them', async () => {
    expect(await textOf('[1]', { isColored: true })).toContain('\u001b[33m1\u001b[0m');
  });

  test('shows values of other types than JSON has', async () => {
    const value = { date: new Date(0), bytes: Uint8Array.of(1, 255), big: 2n ** 63n, missing: undefined };
    const text = await textOf(new Packr({ useRecords: false }).pack(value));
    for (const part of ['date: 1970-01-01T00:00:00.000Z  date', 'bytes: 2 bytes: 01 ff  binary', 'big: 9223372036854775808  bigint']) {
      expect(text).toContain(part);
    }
    expect(await textOf(new Packr({ mapsAsObjects: false, useRecords: false }).pack(new Map([[{ a: 1 }, 1]])))).toContain('{1 entry}  map');
  });

  test('reads a message by its schema, or by its numbers', async () => {
    const proto = 'syntax = "proto3"; message Trip { int32 id = 1; string station = 2; }';
    const bytes = protobufjs.parse(proto).root.lookupType('Trip').encode({ id: 7, station: 'Oak' }).finish();
    expect(await textOf(bytes, {}, { format: 'protobuf' }, { proto, message: 'Trip' })).toContain('station: "Oak"  string');
    expect(await textOf(bytes, {}, { format: 'protobuf' })).toContain('len     string  Oak');
    await expect(textOf(bytes, {}, { format: 'avro' })).rejects.toThrow(/schema/);
    await expect(textOf(bytes, {}, { format: 'bebop' })).rejects.toThrow('bebop needs a schema: add --schema');
  });

  test('shows what comes before an error, then throws it with its place', async () => {
    const lines: string[] = [];
    const bytes = Buffer.from('[1, 2, x]');
    const reading = (async () => {
      for await (const line of shown({ source: chunks(bytes), from: { format: 'json' }, schema: undefined }, LOOK)) lines.push(line);
    })();
    await expect(reading).rejects.toMatchObject({ code: 'malformed', offset: 7 });
    expect(lines.join('')).toContain('1: 2  integer');
    await expect(textOf('')).rejects.toThrow('the payload is empty');
    await expect(textOf('<!doctype html>')).rejects.toThrow('HTML or XML');
  });

  test('reads no more of a payload than it shows', async () => {
    let read = 0;
    async function* endless(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('[');
      for (const chunk = Buffer.from('{"id":1,"name":"a"},'.repeat(50_000)); ; read += chunk.length) yield chunk;
    }
    let text = '';
    for await (const line of shown({ source: endless(), from: undefined, schema: undefined }, LOOK)) text += line;
    expect(read).toBeLessThan(20_000_000);
    expect(text).toMatch(/more records\n… only the first \d+\.\d MB were read\n$/);
  });
});
