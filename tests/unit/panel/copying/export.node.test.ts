import { Encoder } from 'cbor-x';
import { Packr, Unpackr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { copyText, jsonOf } from '../../../../devtools-extension/panel/copy/copy.ts';
import { hexOf, toBase64 } from '../../../../devtools-extension/adapter/bytes.ts';
import { exportValue, type Exported } from '../../../../devtools-extension/values/value.ts';
import fc from '../../../setup/properties/property.ts';
import { openBody } from '../open.ts';

const packr = new Packr({ useRecords: false });
const cbor = new Encoder({ useRecords: false, mapsAsObjects: true });
const pack = (value: unknown): Uint8Array => Uint8Array.from(packr.pack(value));
const MARKS = ['$base64', '$bigint', '$date', '$number', '$set', '$map', '$ref', '$tag', '$undefined'];

/** Restores the value from exported JSON. */
function restore(value: Exported): unknown {
  if (Array.isArray(value)) return value.map(restore);
  if (typeof value !== 'object' || value === null) return value;
  const [mark, inner] = Object.entries(value)[0] ?? [];
  if (mark === '$base64') return Uint8Array.from(Buffer.from(inner as string, 'base64'));
  if (mark === '$bigint') return BigInt(inner as string);
  if (mark === '$date') return new Date(inner as string);
  if (mark === '$number') return Number(inner);
  if (mark === '$undefined') return undefined;
  const entries = Object.entries(value).map(
    ([key, item]) =>
      [key.replace(/^\$(\$+[a-z\d]+)$/, (all, rest: string) => (MARKS.some((name) => rest.endsWith(name)) ? rest : all)), restore(item)] as const,
  );
  return Object.fromEntries(entries);
}

describe('JSON export', () => {
  const key = fc.oneof(fc.string(), fc.constantFrom(...MARKS, ...MARKS.map((mark) => `$${mark}`)));
  const { tree: value } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { maxDepth: 4 },
      // 2^53 itself is a number here and a bigint in the reference library.
      fc.oneof(
        fc.jsonValue({ maxDepth: 0 }),
        fc.double(),
        fc.bigInt({ min: 2n ** 53n + 1n, max: 2n ** 63n - 1n }),
        fc.uint8Array().map((bytes) => Buffer.from(bytes)),
      ),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.dictionary(
        key.filter((name) => name !== '__proto__'),
        tie('tree'),
        { maxKeys: 4 },
      ),
    ),
  }));

  test.each([
    ['messagepack', pack, (bytes: Uint8Array) => new Unpackr({ useRecords: false }).unpack(bytes) as unknown],
    ['cbor', (given: unknown) => Uint8Array.from(cbor.encode(given)), (bytes: Uint8Array) => cbor.decode(bytes) as unknown],
  ] as const)('preserves binary values, bigints and values that JSON lacks, of %s', (format, encode, decode) =>
    fc.assert(
      fc.asyncProperty(value, async (given) => {
        const bytes = encode(given);
        const body = await openBody(format, bytes);
        const restored = restore(JSON.parse(jsonOf(body, body.tree!.root)) as Exported);
        expect(plain(restored)).toEqual(plain(decode(bytes)));
      }),
      { numRuns: 200 },
    ),
  );

  test('marks dates, sets and numbers', async () => {
    const rich = new Packr({ useRecords: false, moreTypes: true, structuredClone: true });
    const bytes = Uint8Array.from(rich.pack({ raw: Uint8Array.of(1, 2), big: 2n ** 64n - 1n, when: new Date(0), nan: NaN, set: new Set([1]) }));
    const body = await openBody('messagepack', bytes);
    expect(exportValue(body.tree!, body.tree!.root)).toMatchObject({
      big: { $bigint: '18446744073709551615' },
      when: { $date: '1970-01-01T00:00:00.000Z' },
      nan: { $number: 'NaN' },
      set: { $set: [1] },
    });
  });
});

/** Makes Buffers and typed arrays of the same bytes equal. */
function plain(given: unknown): unknown {
  if (given instanceof Uint8Array) return Array.from(given);
  if (Array.isArray(given)) return given.map(plain);
  if (typeof given !== 'object' || given === null || given instanceof Date) return given;
  return Object.fromEntries(Object.entries(given).map(([key, item]) => [key, plain(item)]));
}

describe('export of bytes', () => {
  const bytes = pack({ name: 'Oak', list: [1.5, null], raw: Buffer.from([0, 255, 10]) });

  test('contains the same bytes in every form', async () => {
    const body = await openBody('messagepack', bytes);
    const copied = (form: Parameters<typeof copyText>[0]): string => copyText(form, body);
    expect(Buffer.from(copied('hex').replaceAll(' ', ''), 'hex')).toEqual(Buffer.from(bytes));
    expect(Buffer.from(copied('base64'), 'base64')).toEqual(Buffer.from(bytes));
  });

  test('contains the bytes of the selected value, with its path', async () => {
    const body = await openBody('messagepack', bytes);
    body.select(body.tree!.nodeAt(bytes.indexOf(0xcb)));
    expect(copyText('path', body)).toBe('$.list[0]');
    expect(copyText('hex', body)).toBe('cb 3f f8 00 00 00 00 00 00');
    expect(copyText('json', body)).toBe('1.5');
  });

  test.each([0, 1, 0x5fff, 0x6000, 0x6001, 100_000])('writes %d bytes as base64', (length) => {
    const given = Uint8Array.from({ length }, (_, i) => i * 7);
    expect(toBase64(given)).toBe(Buffer.from(given).toString('base64'));
  });

  test('writes bytes as pairs of digits', () => expect(hexOf(Uint8Array.of(0, 255))).toBe('00 ff'));
});
