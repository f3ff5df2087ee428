import { Decoder } from 'cbor-x';
import { Unpackr } from 'msgpackr';
import { describe, expect, it } from 'vitest';
import { decodeSync, encodeSync } from '../../../../main/sync.ts';
import bsonWriter from '../../../../core/formats/bson/writer.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import cborWriter from '../../../../core/formats/cbor/writer.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import messagepackWriter from '../../../../core/formats/messagepack/writer.ts';
import siaWriter from '../../../../core/formats/sia/writer.ts';
import { CborTag } from '../../../../core/formats/cbor/revive.ts';
import type { ReviveTag } from '../../../../core/reading/revive.ts';
import type { AnyFormat } from '../../../../core/format/format.ts';
import type { AnyFormatWriter } from '../../../../core/writing/writer.ts';

const formats: [name: string, format: AnyFormat, writer: AnyFormatWriter, options: object, other: (bytes: Uint8Array) => unknown][] = [
  ['messagepack', messagepack, messagepackWriter, {}, (bytes) => new Unpackr({ moreTypes: true }).unpack(bytes) as unknown],
  [
    'messagepack with references',
    messagepack,
    messagepackWriter,
    { references: true },
    (bytes) => new Unpackr({ moreTypes: true, structuredClone: true }).unpack(bytes) as unknown,
  ],
  ['cbor', cbor, cborWriter, {}, (bytes) => new Decoder().decode(bytes) as unknown],
  ['cbor with references', cbor, cborWriter, { references: true }, (bytes) => new Decoder({ structuredClone: true }).decode(bytes) as unknown],
];

const odd: [what: string, value: unknown, text: string][] = [
  ['a number', 5, '5'],
  ['a bigint', 5n, '5'],
  ['null', null, 'null'],
  ['an object', { a: 1 }, '[object Object]'],
  ['a list', ['a', 'b'], 'a,b'],
  ['a symbol', Symbol('s'), 'Symbol(s)'],
];

describe.each(formats)('writer of an Error in %s', (_name, format, writer, options, other) => {
  const revive: ReviveTag = (tag, inner) => format.revive?.(tag, inner);
  const again = (value: unknown): unknown => decodeSync(format, encodeSync(writer, value, { options }), { reviveTag: revive });

  it.each(odd)('writes the text of a name or message that is %s', (_what, value, text) => {
    const error = Object.assign(new Error('x'), { name: value });
    const named = Object.assign(new Error('x'), { name: text });
    // In CBOR, a generic object whose name is not that of an error stays a tag.
    expect(again([0, error, 'after'])).toEqual([0, format === cbor ? new CborTag(27, [text, 'x']) : named, 'after']);
    const [, read, after] = again([0, Object.assign(new TypeError('x'), { message: value }), 'after']) as [number, Error, string];
    expect([read.name, read.message, after]).toEqual(['TypeError', text, 'after']);
    // The bytes equal those of the Error with the text.
    expect(encodeSync(writer, [error, 'after'], { options })).toEqual(encodeSync(writer, [named, 'after'], { options }));
    expect(other(encodeSync(writer, [error, 'after'], { options }))).toHaveProperty([1], 'after');
  });

  it('writes a DOMException as an Error of its name', () => {
    const [read, after] = again([new DOMException('stopped', 'AbortError'), 'after']) as [Error, string];
    expect([Object.prototype.toString.call(read), read.name, read.message, after]).toEqual(['[object Error]', 'AbortError', 'stopped', 'after']);
  });

  it('writes the default name and message if these are undefined', () => {
    const [read] = again([Object.assign(new RangeError('x'), { name: undefined, message: undefined })]) as [Error];
    expect([read.name, read.message]).toEqual(['Error', '']);
  });

  it.each(['name', 'message', 'cause'])('throws an EncodeError that gives the path if %s throws', (key) => {
    const thrown = new Error('no');
    const error = Object.defineProperty(new Error('x'), key, {
      get() {
        throw thrown;
      },
    });
    for (const [value, path] of [
      [error, [key]],
      [{ list: [error] }, ['list', 0, key]],
    ] as const) {
      const failure = failureOf(() => encodeSync(writer, value, { options }));
      expect(failure).toMatchObject({ name: 'EncodeError', code: 'thrown', cause: thrown, path });
    }
  });
});

it('writers of BSON and Sia refuse Errors and DOMExceptions, and name their path', () => {
  for (const writer of [bsonWriter, siaWriter] as const) {
    for (const error of [new TypeError('x'), new DOMException('x', 'AbortError')]) {
      const failure = failureOf(() => encodeSync(writer as AnyFormatWriter, { a: [error] }));
      expect(failure).toMatchObject({ name: 'EncodeError', code: 'unsupported', path: ['a', 0] });
    }
  }
});

describe('writer of a RegExp', () => {
  const odd = { odd: Object.defineProperty(/x/g, 'source', { value: 57 }), after: 1 };
  const plain = { odd: /57/g, after: 1 };

  it('converts its source to text', () => {
    expect(encodeSync(messagepackWriter, odd)).toEqual(encodeSync(messagepackWriter, plain));
    expect(encodeSync(cborWriter, odd)).toEqual(encodeSync(cborWriter, plain));
    expect(encodeSync(bsonWriter, odd)).toEqual(encodeSync(bsonWriter, plain));
  });
});

function failureOf(run: () => unknown): unknown {
  try {
    return run();
  } catch (error) {
    return error;
  }
}
