import { expect, test } from 'vitest';
import { createDecoder } from '../../../main/create-decoder.ts';
import type { Rows } from '../../../main/materialise/rows.ts';
import { hex } from '../../setup/hex.ts';

const decoder = createDecoder();
/** Tag 32, a URI, of `http:/` and two zeros. */
const BAD_URL = 'd820 68 687474703a2f0000';

test.each(['objects', 'rows', 'columns'] as const)('what makes no value of a tag is malformed: as %s', async (as) => {
  const decoded = decoder.decode(hex(BAD_URL), { format: 'cbor', as, route: 'inline' });
  await expect(decoded).rejects.toMatchObject({ name: 'DecodeError', code: 'malformed', reason: expect.stringMatching(/^URL: /) as string });
});

test('a row that has such a value says so when it is read', async () => {
  const rows = await decoder.decode<Rows>(hex(`83 a16161${BAD_URL} a16161${BAD_URL} a16161${BAD_URL}`), { format: 'cbor', as: 'rows', route: 'inline' });
  expect(() => rows.at(0)).toThrow(expect.objectContaining({ name: 'DecodeError', code: 'malformed' }) as Error);
});
