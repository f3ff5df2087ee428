import { expect, test } from 'vitest';
import { decodeText, decodeUtf8 } from '../../../../core/bytes/text/text.ts';
import fc from '../../../setup/properties/property.ts';

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Text that the engine's decoder returns for the bytes; undefined if it throws. */
function expected(bytes: Uint8Array): string | undefined {
  try {
    return strict.decode(bytes);
  } catch {
    return undefined;
  }
}

/** Results for the same bytes in the middle of others that could complete a truncated character. */
function found(bytes: Uint8Array): (string | undefined)[] {
  const all = Uint8Array.of(0xe2, ...bytes, 0x82, 0xac, 0x80);
  const end = bytes.length + 1;
  const decoders = [
    () => decodeUtf8(all, 1, end, 0),
    () => decodeText(all, new DataView(all.buffer), 1, end, 0),
    () => decodeUtf8(bytes.slice(), 0, bytes.length, 0),
  ];
  return decoders.map((decode) => {
    try {
      return decode();
    } catch (error) {
      if ((error as { code?: unknown }).code !== 'invalid-utf8') throw error;
      return undefined;
    }
  });
}

/** Lead and continuation bytes at the limits that UTF-8 sets. */
const LIMITS = [0x41, 0x7f, 0x80, 0x8f, 0x90, 0x9f, 0xa0, 0xbf, 0xc1, 0xc2, 0xdf, 0xe0, 0xef];
const LEADS = [...LIMITS, 0xec, 0xed, 0xee, 0xf0, 0xf1, 0xf3, 0xf4, 0xf5, 0xff];

test('decodes any text as the engine does', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 90 }), (text) => {
      const bytes = new TextEncoder().encode(text);
      expect(found(bytes)).toEqual(Array.from({ length: 3 }, () => expected(bytes)));
    }),
    { numRuns: 300 },
  );
});

test('rejects exactly the bytes that are not UTF-8', () => {
  const differing: number[][] = [];
  for (const lead of LEADS) {
    for (const second of LIMITS) {
      for (const third of LIMITS) {
        for (const rest of lead < 0xf0 ? [[]] : [[0x80], [0xbf], [0x41], []]) {
          const bytes = Uint8Array.of(lead, second, third, ...rest);
          const text = expected(bytes);
          if (found(bytes).some((one) => one !== text)) differing.push([...bytes]);
        }
      }
    }
  }
  expect(differing).toEqual([]);
});
