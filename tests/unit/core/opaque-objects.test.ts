import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../main/encode.ts';

const encoder = createEncoder();

describe.each(['json', 'messagepack', 'cbor', 'bson', 'sia'] as const)('%s', (format) => {
  it.each([
    ['a Promise: await it', () => Promise.resolve(1)],
    ['a FormData: pass Object.fromEntries(…)', () => new FormData()],
    ['a URLSearchParams: pass Object.fromEntries(…)', () => new URLSearchParams('a=1')],
    ['a Headers: pass Object.fromEntries(…)', () => new Headers({ a: '1' })],
    ['a Blob: pass its bytes', () => new Blob(['a'])],
  ])('refuses %s in place of writing an empty object', async (reason, make) => {
    await expect(encoder.encode({ items: [{ body: make() }] }, { format })).rejects.toThrow(reason);
    if (format !== 'bson') await expect(encoder.encode(make(), { format })).rejects.toThrow(reason);
  });
});
