import { constants } from 'node:buffer';
import { expect, test } from 'vitest';
import { decodeUtf8 } from '../../../../core/bytes/text/text.ts';
import cbor from '../../../../core/formats/cbor/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { DEFAULT_LIMITS } from '../../../../core/limits.ts';
import { decodeSync } from '../../../../main/sync.ts';

test('a text longer than the strings of the engine is a LimitError, whatever the limit is', () => {
  const length = constants.MAX_STRING_LENGTH + 1;
  // Memory that is not written takes none.
  const text = new Uint8Array(length);
  expect(() => decodeUtf8(text, 0, length, 0)).toThrow(
    expect.objectContaining({
      name: 'LimitError',
      limit: 'stringLength',
      message: `stringLength limit exceeded: a string of ${length} bytes`,
    }),
  );
});

test('the default limit of strings is what the engine can hold', () => {
  expect(DEFAULT_LIMITS.stringLength).toBe(constants.MAX_STRING_LENGTH);
  const head = (...bytes: number[]): Uint8Array => Uint8Array.of(...bytes, 0x1f, 0xff, 0xff, 0xe9, 0);
  expect(() => decodeSync(messagepack, head(0xdb))).toThrow(expect.objectContaining({ name: 'LimitError', limit: 'stringLength' }));
  expect(() => decodeSync(cbor, head(0x7a))).toThrow(expect.objectContaining({ name: 'LimitError', limit: 'stringLength' }));
});
