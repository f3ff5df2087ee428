import * as apache from 'apache-arrow';
import { describe, expect, it } from 'vitest';
import type { DecodeError } from '../../../../../core/errors.ts';
import arrow from '../../../../../core/formats/arrow/index.ts';
import writer from '../../../../../core/formats/arrow/writer.ts';
import { assertSame, decodeWith, everyCut, outcome } from '../../../../setup/ways/differential.ts';
import { encodeWith } from '../../../../setup/ways/encode-with.ts';
import { throughBlock } from '../../../../setup/ways/through-block.ts';
import { DecodeSession } from '../../../../../core/format/decode-session.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { detectByContent, detectByMediaType } from '../../../../../core/formats/detect.ts';
import { sampleBytes, sampleTable } from './samples.ts';

const rows = [
  { id: 1, name: 'größe', at: new Date(5), inner: { list: [1, null] } },
  { id: null, name: null, at: null, inner: null },
];
const stream = encodeWith(writer, rows);
const file = encodeWith(writer, rows, { options: { framing: 'file' } });

function decode(bytes: Uint8Array, setting: object = {}): unknown {
  return decodeWith(arrow, bytes, setting);
}

/** The error of a decode. */
function errorOf(bytes: Uint8Array, setting: object = {}): unknown {
  try {
    decode(bytes, setting);
  } catch (error) {
    return error;
  }
  throw new Error('it was decoded');
}

/** The bytes with some of them replaced. */
function changed(bytes: Uint8Array, at: number, ...by: number[]): Uint8Array {
  const copy = bytes.slice();
  copy.set(by, at);
  return copy;
}

describe('reader of Arrow', () => {
  it('reads the values that the library of Apache Arrow wrote', () => {
    const table = sampleTable();
    const values = decode(sampleBytes()) as Record<string, unknown>[];
    for (const [row, value] of values.entries()) {
      const expected = table.get(row)!.toJSON();
      expect(Object.keys(value)).toEqual(Object.keys(expected));
      for (const key of [
        'int8',
        'uint16',
        'int32',
        'uint32',
        'half',
        'float',
        'double',
        'flag',
        'text',
        'ascii',
        'kind',
        'bytes',
        'large',
        'nothing',
      ]) {
        assertSame(value[key], expected[key]);
      }
      assertSame(value['int64'], expected['int64'] === null ? null : Number(expected['int64']));
      assertSame(value['day'], new Date(expected['day'] as number));
      assertSame(value['list'], expected['list'] && [...(expected['list'] as Iterable<number>)]);
      assertSame(value['struct'], expected['struct'] && (expected['struct'] as apache.StructRow).toJSON());
    }
  });

  it('reads a stream and a file that are cut into chunks at every byte', () => {
    for (const bytes of [stream, file]) for (const chunkSizes of everyCut(bytes)) assertSame(decode(bytes, { chunkSizes }), rows);
  });

  it('reports an input that ends too early, wherever it is cut', () => {
    const schemaEnd = 8 + new DataView(stream.buffer).getInt32(4, true);
    const batchEnd = stream.length - 8;
    for (let length = 0; length < stream.length; length++) {
      const found = outcome(() => decode(stream.subarray(0, length)));
      // Streams may end after any message.
      if (length === schemaEnd) assertSame(found, { value: [] });
      else if (length === batchEnd) assertSame(found, { value: rows });
      else
        expect(errorOf(stream.subarray(0, length)), `${length} bytes`).toMatchObject({
          name: 'DecodeError',
          code: length === 0 ? 'empty' : 'truncated',
        });
    }
    for (let length = 1; length < file.length; length++) {
      expect(errorOf(file.subarray(0, length)), `${length} bytes`).toMatchObject({ name: 'DecodeError', code: 'truncated' });
    }
  });

  it('decodes to the same rows through a block of a worker', async () => {
    const bytes = sampleBytes();
    const through = await throughBlock((sink) => {
      const session = new DecodeSession({ id: 'arrow', format: arrow, options: {}, limits: resolveLimits() }, sink);
      session.end(bytes);
    });
    assertSame(through, decode(bytes));
  });

  it('recognises streams and files by their first bytes and by their types', () => {
    expect(detectByContent(stream)?.id).toBe('arrow');
    expect(detectByContent(file)?.id).toBe('arrow');
    expect(detectByMediaType('application/vnd.apache.arrow.stream')?.entry.id).toBe('arrow');
    expect(detectByMediaType('application/vnd.apache.arrow.file; x=1')?.entry.id).toBe('arrow');
  });

  it('gives 64-bit integers, times and decimals the form of the options', () => {
    const table = new apache.Table({
      long: apache.vectorFromArray([1n, 2n ** 60n], new apache.Int64()),
      time: apache.vectorFromArray(
        [1.5, -1.5].map((ms) => ms),
        new apache.TimestampMicrosecond(),
      ),
    } as never);
    const bytes = Uint8Array.from(apache.tableToIPC(table, 'stream'));
    const longs = (options: object) => (decode(bytes, { options }) as { long: unknown }[]).map(({ long }) => long);
    expect(longs({})).toEqual([1, 2n ** 60n]);
    expect(longs({ int64: 'number' })).toEqual([1, 2 ** 60]);
    expect(longs({ int64: 'bigint' })).toEqual([1n, 2n ** 60n]);
    expect(longs({ int64: 'string' })).toEqual(['1', String(2n ** 60n)]);
    const times = (options: object) => (decode(bytes, { options }) as { time: unknown }[]).map(({ time }) => time);
    expect(times({})).toEqual([new Date(1), new Date(-2)]);
    expect(times({ timestamps: 'number' })).toEqual([1500, -1500]);
  });

  it.each<[string, Uint8Array, object, object]>([
    ['bytes after the end of a stream', Uint8Array.of(...stream, 1), {}, { code: 'trailing-bytes', offset: stream.length }],
    ['a batch precedes the schema', stream.subarray(8 + new DataView(stream.buffer).getInt32(4, true)), {}, { code: 'malformed', offset: 0 }],
    ['metadata of a negative length', changed(stream, 4, 0, 0, 0, 0x80), {}, { code: 'malformed', offset: 0 }],
    ['metadata that leads out of the message', changed(stream, 8, 0xff, 0xff, 0, 0), {}, { code: 'malformed' }],
    ['more values than allowed', stream, { limits: { values: 3 } }, { name: 'LimitError', limit: 'values' }],
    ['containers nested too deeply', stream, { limits: { depth: 3 } }, { name: 'LimitError', limit: 'depth' }],
    ['text that is too long', stream, { limits: { stringLength: 2 } }, { name: 'LimitError', limit: 'stringLength' }],
    ['more bytes than allowed', stream, { limits: { bytes: 100 } }, { name: 'LimitError', limit: 'bytes' }],
  ])('rejects %s', (_, bytes, setting, expected) => {
    expect(errorOf(bytes, setting)).toMatchObject(expected);
  });

  it('rejects or reads each change of one byte, and places each error', () => {
    for (let at = 0; at < stream.length; at++) {
      for (const byte of [0, 0x7f, 0xff]) {
        try {
          decode(changed(stream, at, byte));
        } catch (error) {
          expect(['DecodeError', 'LimitError'], `${at}: ${String(error)}`).toContain((error as Error).name);
          expect((error as DecodeError).offset, `${at}: ${String(error)}`).toBeTypeOf('number');
        }
      }
    }
  });
});

it('counts a long text of a dictionary with each row that has it, since rows may be written as JSON or to a block', () => {
  const text = 'x'.repeat(16_000);
  const type = new apache.Dictionary(new apache.Utf8(), new apache.Int8());
  const bytesOf = (count: number): Uint8Array => {
    const dictionary = apache.vectorFromArray([text], new apache.Utf8());
    const data = apache.makeData({ type, data: new Int8Array(count), dictionary });
    return apache.tableToIPC(new apache.Table({ text: apache.makeVector(data) } as never), 'stream');
  };
  // Each row costs 1,000 values. 100,000 are free, and about 17,000 bytes allow 272,000 more.
  expect(decode(bytesOf(300))).toEqual(Array.from({ length: 300 }, () => ({ text })));
  expect(errorOf(bytesOf(450))).toMatchObject({ name: 'LimitError', limit: 'expansion' });
});
