import fc from '../../../../setup/properties/property.ts';
import { expect, test } from 'vitest';
import cbor from '../../../../../core/formats/cbor/index.ts';
import json from '../../../../../core/formats/json/index.ts';
import type { Limits } from '../../../../../core/limits.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { bytesOf, text } from './bytes.ts';

/** Error for an input; undefined if it decodes. */
function failureOf(decode: () => unknown): { limit?: string; code?: string; offset?: number; message?: string } | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

const tagged = (value: string, before = ''): Uint8Array => bytesOf(`${before} d9 0106 ${text(value)}`);

test('JSON in a tag has the same depth and value limits as JSON on its own', () => {
  const limits: Partial<Limits>[] = [1, 2, 3, 5, 8, 13].flatMap((most) => [{ depth: most }, { values: most }]);
  fc.assert(
    fc.property(fc.json({ maxDepth: 5 }), fc.constantFrom(...limits), fc.constantFrom('', ' ', '\n\t'), (compact, limit, space) => {
      // Adds white space around tokens outside strings.
      const value = compact.replaceAll(/"(?:[^"\\]|\\.)*"|[[\]{},:]/g, (token) => (token.length > 1 ? token : space + token + space));
      const alone = failureOf(() => decodeWith(json, new TextEncoder().encode(value), { limits: limit }));
      expect(failureOf(() => decodeWith(cbor, tagged(value), { limits: limit }))?.limit).toBe(alone?.limit);
    }),
  );
});

test('JSON in a tag counts together with its surroundings', () => {
  const inner = '[[1,{"a,]":"\\"["}],[],{}]';
  // Two arrays around; 3 values in the first, 3 items, 2 items and 1 field inside.
  const bytes = bytesOf(`83 01 02 81 d9 0106 ${text(inner)}`);
  expect(decodeWith(cbor, bytes, { limits: { depth: 5, values: 11 } })).toEqual([1, 2, [JSON.parse(inner)]]);
  for (const limit of [{ depth: 4 }, { values: 10 }]) {
    const [name] = Object.keys(limit);
    expect(failureOf(() => decodeWith(cbor, bytes, { limits: limit }))).toMatchObject({ name: 'LimitError', limit: name, offset: 4 });
  }
});

test('JSON whose text is a packed value counts its values with each reference', () => {
  const inner = `[${Array(2_000).fill('[]').join()}]`;
  const bytes = (references: number): Uint8Array =>
    bytesOf(`d8 33 84 81 ${text(inner)} 80 80 98 ${references.toString(16)} ${'d9 0106 e0'.repeat(references)}`);
  // Each reference costs 2,000 values, and 375 for its characters. 100,000 are free, and 6,000 bytes allow 96,000 more.
  const read = decodeWith(cbor, bytes(70)) as unknown[];
  expect(read).toHaveLength(70);
  assertSame(read[69], JSON.parse(inner));
  expect(failureOf(() => decodeWith(cbor, bytes(90)))).toMatchObject({ name: 'LimitError', limit: 'expansion' });
});

test('deeply nested JSON in a tag is rejected with a typed error', () => {
  expect(failureOf(() => decodeWith(cbor, tagged('['.repeat(1_001) + ']'.repeat(1_001))))).toMatchObject({ limit: 'depth' });
  expect(failureOf(() => decodeWith(cbor, tagged('["'.repeat(500))))).toMatchObject({ code: 'malformed' });
  expect(failureOf(() => decodeWith(cbor, tagged('"\\'.repeat(3))))).toMatchObject({ code: 'malformed' });
});

test.each([
  ['of many letters', 'é'.repeat(254)],
  ['percent-encoded', '%C3%A9'.repeat(254)],
  ['of characters outside the basic plane', '😀'.repeat(254)],
  ['in Punycode', `xn--${'a'.repeat(250)}`],
  ['of many short labels', 'é.'.repeat(127)],
])('a URL with %s as host, more than DNS allows, is rejected before parsing', (_, host) => {
  for (const before of ['http://', 'HTTPS:', ' \u0001ws:\\\\', 'h\nttp:/\t/u:p@v@', 'file://']) {
    const failure = failureOf(() => decodeWith(cbor, bytesOf(`d8 20 ${text(`${before}${host}/path`)}`)));
    expect(failure).toMatchObject({ name: 'DecodeError', code: 'malformed', offset: 0, message: expect.stringContaining('253 characters') });
  }
});

test('a URL with a short host, or a host that is not a name, is read', () => {
  const long = 'é'.repeat(2_000);
  for (const url of [
    `http://${'é.'.repeat(100)}com/`,
    `http://${'%C3%A9'.repeat(60)}/`,
    `http://h/${long}`,
    `http://h?${long}`,
    `http://h#${long}`,
    `http:/${'/'.repeat(300)}h/`,
    `http://${long}:${long}@host/`,
    `http://${'a'.repeat(300)}/`,
    `file:///${long}`,
    `file:${long}`,
    `mailto:${long}`,
    `foo://${long}/`,
  ]) {
    expect(decodeWith(cbor, bytesOf(`d8 20 ${text(url)}`))).toEqual(new URL(url));
  }
});
