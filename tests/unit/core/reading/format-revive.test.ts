import { expect, test } from 'vitest';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import { createReviveTag } from '../../../../core/formats/sia/index.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { hex } from '../../../setup/values/hex.ts';

const decoder = createDecoder();
/** Tag 32, a URI, of `http:/` and two zeros. */
const BAD_URL = 'd820 68 687474703a2f0000';

test.each(['objects', 'rows', 'columns'] as const)('a tag whose function returns no value is malformed: as %s', async (as) => {
  const decoded = decoder.decode(hex(BAD_URL), { format: 'cbor', as, route: 'page' });
  await expect(decoded).rejects.toMatchObject({ name: 'DecodeError', code: 'malformed', reason: expect.stringMatching(/^URL: /) as string });
});

test("a row with such a value rejects the decode with the value's path", async () => {
  const bytes = hex(`83 a16161${BAD_URL} a16161${BAD_URL} a16161${BAD_URL}`);
  await expect(decoder.decode(bytes, { format: 'cbor', as: 'rows' })).rejects.toMatchObject({
    name: 'DecodeError',
    code: 'malformed',
    path: [0, 'a'],
  });
});

test.each(['objects', 'rows', 'columns'] as const)('the content of a tag keeps its lists unchanged: as %s', async (as) => {
  // array8 of two: constructor8 7 of an empty array8; of array8 of two objects with one key (string8 `a`, uint8).
  const bytes = hex('2f02 2c07 2f00 2c07 2f02 34 1c0161 0201 35 34 1c0161 0202 35');
  const revive = createReviveTag({ 7: (...args: unknown[]) => args });
  const [none, both] = await decoder.decode<unknown[]>(bytes, { format: 'sia', as, reviveTag: revive, route: 'page' });
  assertSame(none, []);
  assertSame(both, [{ a: 1 }, { a: 2 }]);
});
