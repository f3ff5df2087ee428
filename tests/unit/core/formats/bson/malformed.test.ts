import { describe, expect, test } from 'vitest';
import { DecodeError, LimitError } from '../../../../../core/errors.ts';
import bson, { type BsonOptions } from '../../../../../core/formats/bson/index.ts';
import type { Limits } from '../../../../../core/limits.ts';
import { decodeWith, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { hex } from '../../../../setup/values/hex.ts';
import { digits, document, key, text } from './bytes.ts';

/** Error for `bytes`, which must be the same in every cut. */
function errorOf(bytes: Uint8Array, options: BsonOptions = {}, limits: Partial<Limits> = {}): DecodeError | LimitError {
  if (bytes.length < 1000) sameInEveryCut(bson, bytes, { options, limits });
  try {
    decodeWith(bson, bytes, { options, limits });
  } catch (error) {
    return error as DecodeError;
  }
  throw new Error('it was accepted');
}

const doc = (...elements: string[]): string => digits(document(...elements));
const a = key('a');

describe('the reader', () => {
  const cases: [string, string, string, number, string, BsonOptions?][] = [
    ['nothing', '', 'empty', 0, 'payload is empty'],
    ['an incomplete size', '050000', 'truncated', 3, 'inside a value'],
    ['only a size', '05000000', 'truncated', 4, 'inside a document'],
    ['a size that is too small', '04000000', 'malformed', 0, 'invalid document size: 4 bytes'],
    ['a negative size', 'ffffffff 00', 'malformed', 0, 'invalid document size: -1 bytes'],
    ['two documents', '0500000000 0500000000', 'trailing-bytes', 5, 'after the document'],
    ['a size that is too large', '0600000000', 'malformed', 4, 'shorter than its length'],
    ['a truncated document', '07000000 0a', 'truncated', 5, 'inside a value'],
    ['no zero at the end', '05000000 0a', 'malformed', 5, 'extends past its document'],
    ['a key without an end', '07000000 0a6162', 'malformed', 5, 'extends past its document'],
    ['an element without room for the last zero', '07000000 0a6100', 'malformed', 4, 'extends past its document'],
    ['an unknown type', doc(`14${a}00000000`), 'malformed', 4, 'invalid element type 0x14'],
    ['the type 0x80', doc(`80${a}`), 'malformed', 4, 'invalid element type 0x80'],
    ['a double past the end', doc(`01${a}000000`), 'malformed', 4, 'extends past its document'],
    ['an int64 past the end', doc(`12${a}00000000000000`), 'malformed', 4, 'extends past its document'],
    ['a truncated double', '10000000 01610000000000', 'truncated', 11, 'inside a value'],
    ['a boolean of 2', doc(`08${a}02`), 'malformed', 7, 'neither 0 nor 1'],
    ['a string of length 0', doc(`02${a}00000000`), 'malformed', 7, 'has no terminating zero'],
    ['a string of negative length', doc(`02${a}ffffffff 00`), 'malformed', 7, 'has no terminating zero'],
    ['a string without its zero', doc(`02${a}02000000 6162`), 'malformed', 12, 'has no terminating zero'],
    ['a string past the end', doc(`02${a}09000000 616200`), 'malformed', 7, 'a string extends past'],
    ['a string that takes the last zero', '0f000000 02 6100 04000000 616263 00', 'malformed', 7, 'a string extends past'],
    ['a string of invalid UTF-8', doc(`02${a}03000000 c3ff00`), 'invalid-utf8', 11, 'UTF-8'],
    ['a key of invalid UTF-8', doc('0a61ff00'), 'invalid-utf8', 6, 'UTF-8'],
    ['a surrogate', doc(`02${a}04000000 eda08000`), 'invalid-utf8', 11, 'UTF-8'],
    ['a document that is too small', doc(`03${a}04000000 00`), 'malformed', 7, 'invalid document size: 4 bytes'],
    ['a document past the end', doc(`03${a}06000000 00`), 'malformed', 7, 'extends past its container'],
    ['a document that ends early', doc(`03${a}06000000 0000`), 'malformed', 11, 'shorter than its length'],
    ['an array that ends late', doc(`04${a}05000000 0a`), 'malformed', 12, 'extends past its document'],
    ['a number past the end of an array', doc(`04${a}0b000000 103000 070000 00`), 'malformed', 11, 'extends past its document'],
    ['an array of numbers without its zero', doc(`04${a}0c000000 103000 07000000 0a`), 'malformed', 19, 'extends past its document'],
    ['an element past the end of an inner document', doc(`03${a}08000000 1061 00 00`), 'malformed', 11, 'extends past its document'],
    ['a binary has a negative length', doc(`05${a}ffffffff 00`), 'malformed', 7, 'negative length'],
    ['a binary past the end', doc(`05${a}03000000 00 0102`), 'malformed', 7, 'a binary extends past'],
    ['a binary of subtype 2 that is too short', doc(`05${a}03000000 02 010203`), 'malformed', 12, 'conflicting lengths'],
    ['a binary of subtype 2 with a short length', doc(`05${a}05000000 02 00000000 01`), 'malformed', 12, 'conflicting lengths'],
    ['a binary of subtype 2 with a long length', doc(`05${a}05000000 02 02000000 01`), 'malformed', 12, 'conflicting lengths'],
    ['a pattern without an end', '0a000000 0b 6100 6162 63', 'malformed', 7, 'extends past its document'],
    ['options without an end', '0b000000 0b 6100 6100 6962', 'malformed', 9, 'extends past its document'],
    ['options that take the last zero', '0b000000 0b 6100 6100 6900', 'malformed', 4, 'extends past its document'],
    ['a pattern that JavaScript refuses', doc(`0b${a} 2800 00`), 'malformed', 10, 'RegExp'],
    ['a DBPointer without an id', doc(`0c${a}${text('c')} 0102`), 'malformed', 7, 'a string extends past'],
    ['a code of length 0', doc(`0d${a}00000000`), 'malformed', 7, 'has no terminating zero'],
    ['a symbol past the end', doc(`0e${a}09000000 00`), 'malformed', 7, 'a string extends past'],
    ['a code with scope that is too short', doc(`0f${a}0d000000 01000000 00 0500000000`), 'malformed', 7, 'too short'],
    ['a code with scope past the end', doc(`0f${a}0f000000 01000000 00 0500000000`), 'malformed', 7, 'a code with scope extends past'],
    ['a code that takes its scope', doc(`0f${a}0e000000 02000000 0000 0500000000`), 'malformed', 11, 'a string extends past'],
    ['a scope that is longer', doc(`0f${a}0e000000 01000000 00 0600000000`), 'malformed', 16, 'conflicting lengths'],
    ['a scope that is shorter', doc(`0f${a}0f000000 01000000 00 0500000000 00`), 'malformed', 16, 'conflicting lengths'],
    ['the second of a sequence', '0500000000 04000000', 'malformed', 5, 'invalid document size: 4', { sequence: true }],
    ['a truncated second value of a sequence', '0500000000 0500', 'truncated', 7, 'inside a value', { sequence: true }],
  ];

  test.each(cases)('rejects with a code and an offset: %s', (_, bytes, code, offset, reason, options) => {
    const error = errorOf(hex(bytes), options);
    expect(error.message).toContain(reason);
    expect(error).toBeInstanceOf(DecodeError);
    expect({ code: error.code, offset: error.offset }).toEqual({ code, offset });
  });
});

describe('limited reader', () => {
  const nested = doc(`03${a}${doc(`03${a}${doc()}`)}`);
  const cases: [string, string, keyof Limits, number, number][] = [
    ['documents', nested, 'depth', 2, 11],
    ['a code with scope', doc(`0f${a}0e000000 01000000 00 0500000000`), 'depth', 2, 4],
    ['elements', doc(`0a${a}`, `0a${a}`), 'values', 2, 7],
    ['a string', doc(`02${a}${text('abc')}`), 'stringLength', 2, 7],
    ['a missing string', '00000040 02 6100 00100000', 'stringLength', 2, 7],
    ['a key', doc(`0a${key('abc')}`), 'stringLength', 2, 5],
    ['a pattern', doc(`0b${a} 61626300 00`), 'stringLength', 2, 7],
    ['a code', doc(`0d${a}${text('abc')}`), 'stringLength', 2, 7],
    ['a binary', doc(`05${a}03000000 00 010203`), 'binaryLength', 2, 7],
    ['a missing binary', '00000040 05 6100 00100000 00', 'binaryLength', 2, 7],
  ];

  test.each(cases)('bounds %s', (_, bytes, limit, most, offset) => {
    const error = errorOf(hex(bytes), {}, { [limit]: most }) as LimitError;
    expect(error).toBeInstanceOf(LimitError);
    expect({ limit: error.limit, offset: error.offset }).toEqual({ limit, offset });
  });

  test('accepts input exactly at the limits', () => {
    for (const [bytes, limits] of [
      [nested, { depth: 3, values: 3 }],
      [doc(`02${key('ab')}${text('ab')}`), { stringLength: 2, values: 2 }],
      [doc(`05${a}02000000 00 0102`), { binaryLength: 2 }],
    ] as [string, Partial<Limits>][]) {
      expect(() => decodeWith(bson, hex(bytes), { limits }), bytes).not.toThrow();
    }
  });

  test('bounds the base64 text of a binary to the maximum string length', () => {
    const error = errorOf(hex(doc(`05${a}03000000 00 010203`)), { types: 'relaxed' }, { stringLength: 3 }) as LimitError;
    expect(error.limit).toBe('stringLength');
  });
});

describe('reader under attack', () => {
  function failsSoon(bytes: Uint8Array, expected: string, options: BsonOptions = {}, chunk = 65_536): void {
    const chunkSizes = Array.from({ length: Math.ceil(bytes.length / chunk) }, () => chunk);
    expect(() => decodeWith(bson, bytes, { options, chunkSizes })).toThrow(expected);
  }

  /** Document that declares the maximum size, followed by `tail`. */
  const open = (tail: Uint8Array): Uint8Array => {
    const bytes = new Uint8Array(tail.length + 4);
    new DataView(bytes.buffer).setInt32(0, 0x7fff_ffff, true);
    bytes.set(tail, 4);
    return bytes;
  };

  test('fails fast on nested documents', () => {
    const unit = hex('03 6100 00000000');
    const tail = new Uint8Array(unit.length * 200_000);
    for (let i = 0; i < 200_000; i += 1) {
      tail.set(unit, i * unit.length);
      new DataView(tail.buffer).setInt32(i * unit.length + 3, 0x7000_0000 - i * 8, true);
    }
    failsSoon(open(tail), 'depth limit exceeded (1000)');
  });

  test('fails fast on a size of two gigabytes', () => failsSoon(open(new Uint8Array(1)), 'shorter than its length'));
  test('fails fast on a missing string of a gigabyte', () => failsSoon(open(hex('02 6100 00000010 61')), 'inside a value'));
  test('fails fast on a missing binary of a gigabyte', () => failsSoon(open(hex('05 6100 00000040 00 61')), 'inside a value'));

  // Unterminated data must not be searched again for each chunk.
  test('fails fast on an unterminated key, in small chunks', () => {
    const tail = new Uint8Array(1_000_000).fill(0x61);
    failsSoon(open(tail), 'inside a value', {}, 100);
    failsSoon(open(tail), 'inside a value', {}, 65_536);
  });

  test('fails fast on an unterminated pattern, in small chunks', () => {
    const tail = new Uint8Array(1_000_000).fill(0x61);
    tail.set(hex('0b 6100'));
    failsSoon(open(tail), 'inside a value', {}, 100);
  });
});
