import { describe, expect, test } from 'vitest';
import json from '../../../../../core/formats/json/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import { assertSame, decodeWith, outcome, sameInEveryCut } from '../../../../setup/ways/differential.ts';
import fc from '../../../../setup/properties/property.ts';

const encoder = new TextEncoder();
const bytes = (text: string): Uint8Array => encoder.encode(text);

/** Records the range reported for each string and key. */
class RangeSink extends ObjectSink {
  readonly ranges: [number, number][] = [];
  readonly bases: number[] = [];
  override window(...[window, view, base]: Parameters<ObjectSink['window']>): void {
    this.bases.push(base);
    super.window(window, view, base);
  }
  override text(value: string, start = -1, end = -1): void {
    if (start >= 0) this.ranges.push([start, end]);
    super.text(value, start);
  }
  override keyText(value: string, start = -1, end = -1): void {
    if (start >= 0) this.ranges.push([start, end]);
    super.keyText(value);
  }
}

function readRanges(text: string, options: object): RangeSink {
  const sink = new RangeSink();
  const reader = json.createReader(sink, options, resolveLimits(), undefined);
  reader.push(bytes(text));
  reader.end();
  return sink;
}

describe('reader of numbers', () => {
  /** Every count of digits before and after the point, as a number and before each possible successor. */
  test('decodes exactly with every count of digits', () => {
    const digits = '9876543210987654321098765';
    for (let whole = 1; whole <= 22; whole += 1) {
      for (let places = 0; places <= 22; places += 1) {
        for (const head of [digits.slice(0, whole), '0', `1${'0'.repeat(whole)}`]) {
          for (const tail of [digits.slice(0, places), '0'.repeat(places), `${'0'.repeat(places)}1`]) {
            const number = `${head}${tail ? `.${tail}` : ''}`;
            const text = `[${number},-${number} ,${number}e-3,${number}E5]`;
            assertSame(decodeWith(json, bytes(text)), JSON.parse(text));
          }
        }
      }
    }
  });

  test('rounds to the nearest double, even if exactly or almost halfway between two', () => {
    const odd = fc.bigInt({ min: 2n ** 53n, max: 2n ** 54n - 1n }).map((n) => n | 1n);
    fc.assert(
      fc.property(odd, fc.integer({ min: -40, max: 40 }), (mantissa, exponent) => {
        const scaled = exponent >= 0 ? mantissa << BigInt(exponent) : mantissa * 5n ** BigInt(-exponent);
        const plain = scaled.toString().padStart(-exponent + 1, '0');
        const text = exponent >= 0 ? plain : `${plain.slice(0, exponent)}.${plain.slice(exponent)}`;
        const beside = exponent >= 0 ? `${text}.0000001` : `${text}0000001`;
        const list = `[${text},${beside},-${text}]`;
        assertSame(decodeWith(json, bytes(list)), JSON.parse(list));
      }),
      { numRuns: 4_000 },
    );
  });

  test('returns the same number in every cut', () => {
    for (const text of ['[12345678901234]', '[-73.98765432101234567]', '[0.00000000000012345]', '[1e5,1.5E+300,0.1]', '123456789.123456789']) {
      assertSame(sameInEveryCut(json, bytes(text)), { value: JSON.parse(text) as unknown });
    }
  });
});

describe('reader of strings', () => {
  test('decodes as JSON.parse does or throws, for any bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 12 }), fc.constantFrom(1, 2, 7, 100), (content, size) => {
        const input = Uint8Array.from([0x22, ...content, 0x22]);
        const chunkSizes = Array.from({ length: input.length }, () => size);
        const result = outcome(() => decodeWith(json, input, { chunkSizes }));
        let expected: unknown;
        try {
          expected = { value: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(input)) as unknown };
        } catch {
          expect(result).toHaveProperty('error');
          return;
        }
        assertSame(result, expected);
      }),
      { numRuns: 4_000 },
    );
  });

  test('reports the offset of an invalid byte next to an escape', () => {
    const input = Uint8Array.from([...bytes('["ab\\n'), 0xff, ...bytes('"]')]);
    expect(() => decodeWith(json, input)).toThrow(expect.objectContaining({ code: 'invalid-utf8', offset: 6 }));
  });

  test('reports the range of a string with escapes if ranges are requested', () => {
    const text = '{"a\\n":"b\\u0041","c":"d"}';
    const asked = readRanges(text, { ranges: true });
    assertSame(asked.result, JSON.parse(text));
    expect(asked.ranges).toEqual(
      expect.arrayContaining([
        [1, 6],
        [7, 16],
      ]),
    );
    expect(asked.bases).not.toContain(-1);
    expect(readRanges(text, {}).bases).toContain(-1);
  });

  test('decodes a long string with an escape in many chunks', () => {
    const text = JSON.stringify(`${'x'.repeat(2_000_000)}\n${'é'.repeat(1_000_000)}`);
    const input = bytes(`[${text}]`);
    const chunkSizes = Array.from({ length: Math.ceil(input.length / 1_000) }, () => 1_000);
    assertSame(decodeWith(json, input, { chunkSizes }), [JSON.parse(text)]);
  });
});

describe('limited reader', () => {
  test.each([
    [{ stringLength: 3 }, '["abc","abcd"]', 'stringLength', 7],
    [{ stringLength: 3 }, '{"abcd":1}', 'stringLength', 1],
    [{ stringLength: 3 }, '["\\n\\n"]', 'stringLength', 1],
    [{ values: 3 }, '[1,2,[],3]', 'values', 5],
    [{ depth: 2 }, '[[{}]]', 'depth', 2],
  ])('rejects %j by %s, in every cut', (limits, text, limit, offset) => {
    const result = sameInEveryCut(json, bytes(text), { limits }) as { error: string };
    expect(result.error).toMatch(new RegExp(`^LimitError \\| limit \\| ${limit} \\| ${offset} `));
  });

  test('accepts values exactly at the limit', () => {
    const limits = { stringLength: 3, values: 4, depth: 2 };
    assertSame(decodeWith(json, bytes('["abc",[1,null]]'), { limits: { ...limits, values: 5 } }), ['abc', [1, null]]);
  });

  test('rejects integers with more digits than bigint conversion handles quickly', () => {
    const input = bytes(`[${'7'.repeat(1_000_001)}]`);
    expect(() => decodeWith(json, input, { options: { bigints: 'bigint' } })).toThrow(expect.objectContaining({ code: 'unsupported', offset: 1 }));
  });
});

describe('reader', () => {
  test.each([
    '{"a":tru',
    '["\\ud83',
    '["\\q"]',
    '[1.e5]',
    '[-]',
    '[1e+]',
    '{"a" 1}',
    '[1 2]',
    '{"a":1]',
    '[nulL]',
    '"a\tb"',
    '\u00ef[1]',
    '[1e5x]',
    '-',
    '[00]',
  ])('reports the same error in every cut of %s', (text) => expect(sameInEveryCut(json, bytes(text))).toHaveProperty('error'));

  test.each([
    ['1 2 3', [1, 2, 3]],
    ['{}{}[]"a"\n"b"', [{}, {}, [], 'a', 'b']],
    ['\u001e1\n\u001e"x"\n', [1, 'x']],
    [' \n ', []],
  ])('reports the same error in every cut of the broken sequence %j', (text, value) => {
    assertSame(sameInEveryCut(json, bytes(text), { options: { sequence: true } }), { value });
  });

  test.each(['1"a"', 'truefalse', '[1] x', '1 [', '{"a":1}\n{"a"'])('reports the same error in every cut of the invalid sequence %j', (text) => {
    expect(sameInEveryCut(json, bytes(text), { options: { sequence: true } })).toHaveProperty('error');
  });
});
