import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { offsetOf, readingsAt } from '../../../../devtools-extension/panel/bytes/data-inspector.ts';
import { interpretBytes } from '../../../../devtools-extension/panel/value/interpret/bytes.ts';
import type { Interpretation } from '../../../../devtools-extension/panel/value/interpret/interpretation.ts';
import { interpretDate, interpretFloat, interpretInteger } from '../../../../devtools-extension/panel/value/interpret/numbers.ts';
import { interpretText } from '../../../../devtools-extension/panel/value/interpret/text.ts';
import { jsonLines } from '../../../../devtools-extension/values/json-lines.ts';
import { textLines } from '../../../../devtools-extension/panel/text/text-forms.ts';
import fc from '../../../setup/properties/property.ts';
import { finish, openBody } from '../open.ts';

const named = (found: readonly Interpretation[]): Record<string, string> => Object.fromEntries(found.map(({ name, value }) => [name, value]));

describe('interpretation', () => {
  test('covers other bases, zigzag, float bits and a time of an integer', () => {
    expect(named(interpretInteger(1_700_000_000n))).toMatchObject({
      Hexadecimal: '0x6553f100',
      'Zigzag decoded': '850000000',
      'Time, s since 1970': '2023-11-14T22:13:20.000Z',
    });
    expect(named(interpretInteger(0x3f800000n))['As bits of a 32-bit float']).toBe('1');
    expect(named(interpretInteger(-2n))).toMatchObject({ 'Unsigned, 32 bits': '4294967294', Hexadecimal: '-0x2' });
    expect(named(interpretInteger(1_700_000_000_000n))).toMatchObject({ 'Time, ms since 1970': '2023-11-14T22:13:20.000Z' });
    expect(named(interpretInteger(2n ** 64n - 1n))['Signed, 64 bits']).toBe('-1');
  });

  test('covers the bits of a float, and whether 32 bits suffice', () => {
    expect(named(interpretFloat(1.5))).toMatchObject({ 'Bits, 64': '0x3ff8000000000000', 'As a 32-bit float': 'exact' });
    expect(named(interpretFloat(0.1))['As a 32-bit float']).toBe('0.10000000149011612');
    expect(named(interpretFloat(NaN))['As a 32-bit float']).toBe('exact');
  });

  test('finds a token, a UUID and a time in a text', () => {
    const token = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIiwiZXhwIjoxNzAwMDAwMDAwfQ.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';
    expect(named(interpretText(token))).toMatchObject({ 'JWT header': '{"alg":"HS256"}', 'JWT exp': '2023-11-14T22:13:20.000Z' });
    expect(named(interpretText('0190a5f2-7b3c-7def-8a1b-0123456789ab'))['UUID']).toBe('version 7');
    expect(named(interpretText('2024-05-01T08:10:07Z'))['Time']).toBe('2024-05-01T08:10:07.000Z');
    expect(named(interpretText('a🚲'))['Length']).toBe('2 characters, 3 UTF-16 units, 5 bytes of UTF-8');
  });

  test('finds packed numbers, a UUID and text in bytes', () => {
    expect(named(interpretBytes(Uint8Array.of(0x96, 0x01, 7)))).toMatchObject({ 'Packed varints': '150, 7' });
    const uuid = Uint8Array.of(0x01, 0x90, 0xa5, 0xf2, 0x7b, 0x3c, 0x7d, 0xef, 0x8a, 0x1b, 1, 0x23, 0x45, 0x67, 0x89, 0xab);
    expect(named(interpretBytes(uuid))).toMatchObject({ 'UUID, version 7': '0190a5f2-7b3c-7def-8a1b-0123456789ab' });
    expect(named(interpretBytes(new TextEncoder().encode('größe')))['Text, UTF-8']).toBe('größe');
  });

  test('succeeds for any value', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.uint8Array(),
        fc.bigInt({ min: -(2n ** 70n), max: 2n ** 70n }),
        fc.double(),
        (text, bytes, integer, float) => {
          for (const { value } of [
            ...interpretText(text),
            ...interpretBytes(bytes),
            ...interpretInteger(integer),
            ...interpretFloat(float),
            ...interpretDate(float),
          ])
            expect(typeof value).toBe('string');
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('readingsAt', () => {
  test('reads both byte orders and varints', () => {
    const found = Object.fromEntries(
      readingsAt(Uint8Array.of(0x96, 0x01, 0, 0x80, 0, 0, 0, 0), 0).map(({ name, little, big }) => [name, [little, big]]),
    );
    expect(found).toMatchObject({
      uint8: ['150', undefined],
      int8: ['-106', undefined],
      uint16: ['406', '38401'],
      int32: ['-2147483242', '-1778319232'],
      'varint, 2 B': ['150', undefined],
      'zigzag varint': ['75', undefined],
    });
  });

  test('stops at the end of the bytes', () => {
    expect(readingsAt(Uint8Array.of(1, 2, 3), 2).map(({ name }) => name)).toEqual(['uint8', 'int8', 'varint, 1 B', 'zigzag varint', 'binary']);
    expect(readingsAt(Uint8Array.of(1), 1)).toEqual([]);
  });

  test.each<[string, number | undefined]>([
    ['0x10', 16],
    ['12', 12],
    [' -1 ', 99],
    ['100', undefined],
    ['x', undefined],
    ['', undefined],
  ])('starts at the offset given by %j', (text, at) => {
    expect(offsetOf(text, 100)).toBe(at);
  });
});

describe('text view', () => {
  test('shows any decoded value as JSON', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), async (value) => {
        const body = await openBody('messagepack', Uint8Array.from(new Packr({ useRecords: false }).pack(value)));
        const lines = finish(jsonLines(body.tree!, 1)).join('\n');
        // −0 and values that JSON lacks are marked.
        if (!JSON.stringify(value).includes('-0')) expect(JSON.parse(lines)).toEqual(JSON.parse(JSON.stringify(value)));
      }),
      { numRuns: 200 },
    ));

  test('ends a long value with an ellipsis', async () => {
    const body = await openBody('json', new TextEncoder().encode(JSON.stringify(Array.from({ length: 100 }, (_, i) => i))));
    expect(finish(jsonLines(body.tree!, 1, 10))).toHaveLength(11);
  });

  test('shows every line of bytes, and truncates long ones', () => {
    expect(finish(textLines(new TextEncoder().encode('a\r\n\nb')))).toEqual(['a', '', 'b']);
    expect(finish(textLines(new TextEncoder().encode('x'.repeat(4_500)))).map(({ length }) => length)).toEqual([2_000, 2_000, 500]);
    expect(finish(textLines(Uint8Array.of(0x67, 0x72, 0xf6, 0xdf)))).toEqual(['größ']);
  });
});
