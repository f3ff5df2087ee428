/** Tests pages on which an old library has added enumerable properties to Object.prototype. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import cbor from '../../../core/formats/cbor/index.ts';
import { FORMATS } from '../../../core/formats/registry.ts';
import { createDecoder } from '../../../main/decoder/create-decoder.ts';
import { createEncoder } from '../../../main/encode.ts';
import { decodeSync } from '../../../main/sync.ts';

const value = [
  { id: 1, name: 'one', inner: { list: [1, 2] } },
  { id: 2, name: 'two', inner: { list: [] } },
];
/** Formats that write any list of records without a schema. */
const PLAIN = FORMATS.map(({ id }) => id).filter((id) => ['json', 'messagepack', 'cbor', 'sia', 'arrow'].includes(id));

describe('with enumerable properties on Object.prototype', () => {
  const prototype = Object.prototype as unknown as Record<string, unknown>;
  beforeAll(() => {
    prototype['extend'] = () => undefined;
    prototype['oldNumbers'] = [1, 2, 3];
  });
  afterAll(() => {
    delete prototype['extend'];
    delete prototype['oldNumbers'];
  });

  it.each(PLAIN)('values are encoded and decoded with their own keys and options alone, as %s', async (format) => {
    const encoder = createEncoder({ limits: { depth: 100 } });
    const decoder = createDecoder({ limits: { depth: 100 }, schemas: {} });
    const bytes = await encoder.encode(value, { format: format as 'json', options: {} });
    for (const as of ['objects', 'rows', 'columns'] as const) {
      const found: unknown = await decoder.decode(bytes, { format, as: as as 'objects', limits: { depth: 50 }, options: {} });
      if (as === 'columns') expect(Object.keys(found as object)).toEqual(['id', 'name', 'inner']);
      else for (const [at, record] of [...(found as Iterable<object>)].entries()) expect(JSON.stringify(record)).toBe(JSON.stringify(value[at]));
    }
    const batches: object[] = [];
    for await (const batch of decoder.batches<object>(bytes, { format, batchSize: 1 })) batches.push(...batch);
    expect(JSON.stringify(batches)).toBe(JSON.stringify(value));
  });

  it('decodeSync takes no inherited key for an option, and a misspelled one is still named', async () => {
    const bytes = await createEncoder().encode(value, { format: 'cbor' });
    expect(JSON.stringify(decodeSync(cbor, bytes, { options: {}, limits: {} }))).toBe(JSON.stringify(value));
    expect(() => decodeSync(cbor, bytes, { limit: {} } as object)).toThrow(/unknown option limit; did you mean limits/);
    expect(() => createDecoder({ extent: 1 } as object)).toThrow(/unknown option extent/);
  });
});
