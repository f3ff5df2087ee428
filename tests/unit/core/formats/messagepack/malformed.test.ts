import { describe, expect, test } from 'vitest';
import messagepack from '../../../../../core/formats/messagepack/index.ts';
import type { Limits } from '../../../../../core/limits.ts';
import { decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import { bytesOf, hex } from '../../../../setup/values/hex.ts';
import cases from '../../../../fixtures/messagepack/malformed.json' with { type: 'json' };

interface Malformed {
  name: string;
  bytes: string;
  options?: object;
  code: string;
  limit?: string;
  offset: number;
}

const begins = (found: ReturnType<typeof outcome>): string => ('error' in found ? found.error : 'a value');

describe('the reader', () => {
  test.each(cases as Malformed[])('rejects with a code and an offset: $name', ({ bytes, options = {}, code, limit, offset }) => {
    const [name, where] = code === 'limit' ? ['LimitError', `limit | ${limit}`] : ['DecodeError', `${code} | `];
    expect(begins(sameInEveryCut(messagepack, hex(bytes), { options }))).toContain(`${name} | ${where} | ${offset} | `);
  });

  const whole = bytesOf(
    hex('dc 0010'),
    0x81,
    0xa1,
    'a',
    1,
    0xd9,
    2,
    'ab',
    hex('cb 4009 21fb 5444 2d18 c4 02 0102 d6 ff 00000001 d4 72 40 92'),
    0xa1,
    'x',
    0xa1,
    'y',
    1,
    2,
    hex('d6 69 00000001 91 c0 d6 70 00000001 d4 73 00 91 05 d4 65 00 92'),
    0xa5,
    'Error',
    0xa1,
    'm',
    hex('d4 00 00 c7 02 42 01 00'),
    hex('cf 0020000000000001 81 cc 05 c3 c8 0001 05 09 40 01 02'),
  );

  test('rejects input truncated anywhere, with the offset of its end', () => {
    expect(begins(outcome(() => decodeWith(messagepack, whole)))).toBe('a value');
    for (let length = 1; length < whole.length; length += 1) {
      const cut = whole.subarray(0, length);
      const expected = `DecodeError | truncated |  | ${length} | the input ends inside a value`;
      expect(begins(outcome(() => decodeWith(messagepack, cut)))).toBe(expected);
      expect(begins(outcome(() => decodeWith(messagepack, cut, { chunkSizes: [1, length >> 1] })))).toBe(expected);
    }
  });

  test('rejects truncated bundled strings, with the offset of their end', () => {
    const bundled = hex('92 d6 62 00000008 c1 01 c1 fe a3 c3a4 62 a1 61');
    expect(begins(outcome(() => decodeWith(messagepack, bundled)))).toBe('a value');
    for (let length = 1; length < bundled.length; length += 1) {
      const found = sameInEveryCut(messagepack, bundled.subarray(0, length));
      expect(begins(found)).toContain(`DecodeError | truncated |  | ${length} | `);
    }
  });

  test('rejects bundled strings that must be ASCII but are not', () => {
    const bundled = hex('92 d6 62 00000008 c1 01 c1 01 a0 a2 c3a4');
    expect(begins(sameInEveryCut(messagepack, bundled))).toContain('DecodeError | invalid-utf8 |  | 13 | ');
  });

  test('rejects a deep chain of error causes', () => {
    const bytes = bytesOf(...Array.from({ length: 5000 }, () => hex('d4 65 00')), 0xc0);
    expect(begins(outcome(() => decodeWith(messagepack, bytes)))).toContain('LimitError | limit | depth | 3000');
  });
});

describe('limited reader', () => {
  const limited = (bytes: Uint8Array, limits: Partial<Limits>): string => begins(sameInEveryCut(messagepack, bytes, { limits }));

  test('bounds nested containers by depth', () => {
    const bytes = hex('91 81 a1 61 91 c0');
    expect(limited(bytes, { depth: 3 })).toBe('a value');
    expect(limited(bytes, { depth: 2 })).toContain('LimitError | limit | depth | 4 |');
    const deep = (count: number): Uint8Array =>
      bytesOf(
        Array.from({ length: count }, () => 0x91),
        0xc0,
      );
    expect(begins(outcome(() => decodeWith(messagepack, deep(1000))))).toBe('a value');
    expect(begins(outcome(() => decodeWith(messagepack, deep(1001))))).toContain('LimitError | limit | depth | 1000 |');
    expect(() => decodeWith(messagepack, deep(100_000), { limits: { depth: 1e6 } })).not.toThrow();
  });

  test('bounds the number of values by values', () => {
    const bytes = hex('93 01 82 a1 61 02 a1 62 03 04');
    expect(limited(bytes, { values: 6 })).toBe('a value');
    expect(limited(bytes, { values: 5 })).toContain('LimitError | limit | values | 2 |');
    expect(limited(hex('d4 72 40 92 a1 61 a1 62 01 02'), { values: 2 })).toContain('LimitError | limit | values | 0 |');
    const sequence = decodeWith(messagepack, hex('01 02 03'), { options: { sequence: true }, limits: { values: 3 } });
    expect(sequence).toEqual([1, 2, 3]);
    expect(() => decodeWith(messagepack, hex('01 02 03'), { options: { sequence: true }, limits: { values: 2 } })).toThrow(/values/);
  });

  test.each([3, 40, 300])('bounds each string by stringLength: %i', (length) => {
    for (const head of [
      length < 32 ? [0xa0 + length] : [],
      length < 256 ? [0xd9, length] : [],
      [0xda, length >> 8, length & 255],
      [0xdb, 0, 0, length >> 8, length & 255],
    ]) {
      if (head.length === 0) continue;
      const text = 'x'.repeat(length);
      for (const bytes of [bytesOf(head, text), bytesOf(0x81, head, text, 1), bytesOf(0x91, head, text)]) {
        expect(begins(outcome(() => decodeWith(messagepack, bytes, { limits: { stringLength: length } })))).toBe('a value');
        expect(limited(bytes, { stringLength: length - 1 })).toContain(
          `LimitError | limit | stringLength | ${bytes.length > length + head.length ? 1 : 0} |`,
        );
      }
    }
    const bundled = bytesOf(hex('d6 62 00000008 c1 cd'), length >> 8, length & 255, 0xa0, 0xda, length >> 8, length & 255, 'x'.repeat(length));
    expect(() => decodeWith(messagepack, bundled)).not.toThrow();
    expect(limited(bundled, { stringLength: length - 1 })).toContain('LimitError | limit | stringLength | 6 |');
  });

  test('bounds each binary value by binaryLength', () => {
    expect(limited(hex('c4 03 010203'), { binaryLength: 3 })).toBe('a value');
    expect(limited(hex('c4 03 010203'), { binaryLength: 2 })).toContain('LimitError | limit | binaryLength | 0 |');
    expect(limited(hex('91 c7 03 05 010203'), { binaryLength: 2 })).toContain('LimitError | limit | binaryLength | 1 |');
  });
});
