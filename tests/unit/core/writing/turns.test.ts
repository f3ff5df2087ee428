import { describe, expect, it } from 'vitest';
import { joined } from '../../../../core/bytes/byte-input.ts';
import { SLACK } from '../../../../core/bytes/output.ts';
import { EncodeError } from '../../../../core/errors.ts';
import bson from '../../../../core/formats/bson/writer.ts';
import cbor from '../../../../core/formats/cbor/writer.ts';
import json from '../../../../core/formats/json/writer.ts';
import messagepack from '../../../../core/formats/messagepack/writer.ts';
import sia from '../../../../core/formats/sia/writer.ts';
import type { FormatWriter } from '../../../../core/writing/writer.ts';
import { DEFAULT_LIMITS } from '../../../../core/limits.ts';
import { unpack } from 'msgpackr';
import { encodeErrorOf } from '../../../setup/ways/encode-with.ts';

function encode(value: unknown, turn?: () => boolean): { bytes: Uint8Array; runs: number } {
  const session = messagepack.createWriter({}, DEFAULT_LIMITS, undefined).session('messagepack', turn).write(value);
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let runs = 0;
  while (!session.isWhole) {
    session.run();
    chunks.push(...session.take());
    runs += 1;
  }
  return { bytes: joined(chunks), runs };
}

const rows = Array.from({ length: 7_000 }, (_, id) => ({
  id,
  name: `station ${id} ${'é'.repeat(id % 7)}`,
  tags: ['a', 'b', id],
  at: { x: id / 3 },
}));
const dictionary = Object.fromEntries(rows.map((row) => [`key ${row.id}`, row.id]));

describe('sliced encode', () => {
  it.each([
    ['a list of records', rows],
    ['a dictionary of many keys, including a long list', { ...dictionary, rows, after: true }],
    ['lists inside lists', [[rows, [rows]], 'end']],
    ['a string longer than a chunk', ['x'.repeat(3_000_000), 'é'.repeat(500_000)]],
  ])('writes %s to the same bytes as at once', (_name, value) => {
    const whole = encode(value);
    const cut = encode(value, () => true);
    expect(whole.runs).toBe(1);
    expect(cut.runs).toBeGreaterThan(1);
    expect(Buffer.compare(cut.bytes, whole.bytes)).toBe(0);
    expect(unpack(whole.bytes)).toEqual(value);
  });

  it('checks for the end of a slice after every 128 kB, even in the middle of a chunk', () => {
    let before = 0;
    let most = 0;
    const session = messagepack
      .createWriter({}, DEFAULT_LIMITS, undefined)
      .session('messagepack', () => true)
      .write(new Array(4).fill(rows));
    while (!session.isWhole) {
      session.run();
      most = Math.max(most, session.written - before);
      before = session.written;
    }
    expect(before).toBeGreaterThan(1_000_000);
    expect(most).toBeLessThan((1 << 17) + 2 * SLACK);
  });

  it('continues with its own bytes after another encode ran between its slices', () => {
    const one = messagepack
      .createWriter({}, DEFAULT_LIMITS, undefined)
      .session('messagepack', () => true)
      .write(rows);
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    while (!one.isWhole) {
      one.run();
      chunks.push(...one.take());
      expect(unpack(encode({ between: chunks.length }).bytes)).toEqual({ between: chunks.length });
    }
    expect(unpack(joined(chunks))).toEqual(rows);
  });

  it('keeps the bytes of an encode during which a getter starts another', () => {
    const value = {
      before: 1,
      get inner() {
        return encode(rows).bytes.length;
      },
      after: 'x'.repeat(SLACK),
    };
    expect(unpack(encode(value).bytes)).toEqual({ before: 1, inner: encode(rows).bytes.length, after: value.after });
  });

  it('reports a cycle and its path', () => {
    const list: unknown[] = [1];
    list.push({ again: list });
    expect(() => encode({ list })).toThrow(expect.objectContaining({ code: 'cycle', path: ['list', 1, 'again'] }));
  });

  it.each<[string, FormatWriter<never>, object?]>([
    ['json', json],
    ['json with options', json, { bigints: 'string' }],
    ['messagepack', messagepack],
    ['messagepack with records', messagepack, { records: true }],
    ['cbor', cbor],
    ['sia', sia],
    ['bson', bson],
  ])('reports a cycle in %s before it writes the surrounding values many times', (_format, writer, options = {}) => {
    let reads = 0;
    const item = {
      get a() {
        reads += 1;
        return 'x'.repeat(1_000);
      },
    };
    const value: Record<string, unknown> = { list: Array.from({ length: 300 }, () => item) };
    value['inner'] = [{ value }];
    for (const inTurns of [false, true]) {
      reads = 0;
      expect(encodeErrorOf(writer, value, { options, inTurns })).toEqual({ code: 'cycle', path: ['inner', 0, 'value'] });
      // Three rounds instead of 333; JSON also estimates sizes.
      expect(reads).toBeLessThan(100 * 300);
    }
  });

  it('accepts a container that is repeated next to itself, at any depth', () => {
    const leaf = { a: [1] };
    let value: unknown[] = [leaf, leaf];
    for (let depth = 0; depth < 20; depth += 1) value = [leaf, value, leaf, { leaf }];
    expect(unpack(encode(value).bytes)).toEqual(value);
    expect(unpack(encode(value, () => true).bytes)).toEqual(value);
  });

  it('rejects a hundred thousand nested lists', () => {
    let deep: unknown = [];
    for (let index = 0; index < 100_000; index += 1) deep = [deep];
    expect(() => encode(deep)).toThrow(expect.objectContaining({ code: 'depth' }));
  });

  it('reports the path of an unwritable value, also after a slice', () => {
    const bad = { rows: [...rows, { id: 1, tags: [Symbol('no')] }] };
    const error = (() => {
      try {
        return encode(bad, () => true);
      } catch (thrown) {
        return thrown;
      }
    })();
    expect(error).toBeInstanceOf(EncodeError);
    expect(error).toMatchObject({ code: 'unsupported', format: 'messagepack', path: ['rows', rows.length, 'tags', 0] });
  });

  it('reports the error of a getter as the cause', () => {
    const thrown = new Error('no');
    expect(() =>
      encode([
        {
          get x() {
            throw thrown;
          },
        },
      ]),
    ).toThrow(expect.objectContaining({ code: 'thrown', path: [0, 'x'], cause: thrown }));
  });
});
