import { describe, expect, it } from 'vitest';
import { joined } from '../../../../core/bytes/byte-input.ts';
import { loadFormat } from '../../../../core/formats/loaders.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import { FORMATS } from '../../../../core/formats/registry.ts';
import { createEncoder, type EncodeOptions } from '../../../../main/encode.ts';
import type { TranscodeSource } from '../../../../main/encoder/transcode/transcode.ts';
import { compileSchema, decodeSync } from '../../../../main/sync.ts';
import fc from '../../../setup/properties/property.ts';
import { asIn, SCHEMAS, tripOf } from './trips.ts';

const encoder = createEncoder();
const ids = FORMATS.map(({ id }) => id);
/** Schemaless formats, which hold any JSON value; BSON's root is an object. */
const FREE: readonly FormatId[] = ['json', 'messagepack', 'cbor', 'bson', 'sia'];

/** Source or target of a call for a format. */
function of(format: FormatId, options?: object): EncodeOptions & TranscodeSource {
  return {
    format: format as 'avro',
    ...(SCHEMAS[format] !== undefined && { schema: SCHEMAS[format] as never }),
    ...(options && { options: options as never }),
  };
}

/** Bytes in chunks of these lengths, in turn. */
function cut(bytes: Uint8Array<ArrayBuffer>, lengths: readonly number[]): ReadableStream<Uint8Array> {
  let at = 0;
  let turn = 0;
  return new ReadableStream({
    pull(controller) {
      if (at >= bytes.length) controller.close();
      else controller.enqueue(bytes.slice(at, (at += lengths[turn++ % lengths.length]!)));
    },
  });
}

/** Bytes in hexadecimal, or the code and path of the error. */
async function outcome(run: () => Promise<Uint8Array>): Promise<string> {
  try {
    return Buffer.from(await run()).toString('hex');
  } catch (error) {
    const { name, code, path } = error as { name: string; code?: string; path?: unknown[] };
    if (name !== 'EncodeError') throw error;
    return `${code} at ${path?.join('.')}`;
  }
}

const schemas = new Map<unknown, Promise<unknown>>();

/** Compiled schema of a source. */
async function compiled({ format, schema }: TranscodeSource): Promise<unknown> {
  if (schema === undefined) return undefined;
  if (!schemas.has(schema)) schemas.set(schema, compileSchema(await loadFormat(format!), schema));
  return await schemas.get(schema);
}

/** Results of decoding then encoding, and of transcoding. */
async function both(
  bytes: Uint8Array<ArrayBuffer>,
  from: TranscodeSource,
  to: EncodeOptions,
  lengths: readonly number[],
): Promise<[encoded: string, transcoded: string]> {
  const format = await loadFormat(from.format!);
  const schema = await compiled(from);
  const value = decodeSync(format, bytes, { options: from.options ?? {}, schema });
  return await Promise.all([
    outcome(() => encoder.encode(value, to)),
    outcome(async () => {
      const chunks: Uint8Array<ArrayBuffer>[] = [];
      for await (const chunk of encoder.transcode(cut(bytes, lengths), { from, to })) chunks.push(chunk);
      return joined(chunks);
    }),
  ]);
}

const lengths = fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 5 });
const text = fc.string({ unit: 'grapheme', maxLength: 12 }).filter((one) => !/[\ud800-\udfff\0]/u.test(one));
const trips = fc.array(fc.tuple(fc.integer({ min: 0, max: 1e6 }), text), { maxLength: 8 });

describe.each(ids)('transcoder from %s', (from) => {
  it.each(ids)('matches decoding and encoding to %s', async (to) => {
    let written = 0;
    await fc.assert(
      fc.asyncProperty(trips, lengths, async (list, pieces) => {
        const records = list.map(([number, name]) => asIn(from, tripOf(number, name)));
        // Arrow holds lists of records.
        const value = [from, to].includes('arrow') && SCHEMAS[from] === undefined && from !== 'bson' ? records : { trips: records };
        const bytes = await encoder.encode(value, of(from));
        const [encoded, transcoded] = await both(bytes, of(from), of(to), pieces);
        expect(transcoded).toBe(encoded);
        if (!encoded.includes(' at ')) written += 1;
      }),
      { numRuns: 20 },
    );
    if ((FREE.includes(to) && !(from === 'arrow' && to === 'bson')) || from === to) expect(written).toBeGreaterThan(0);
  });
});

const values = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }), fc.boolean(), fc.constant(null), text),
    fc.array(tie('value'), { maxLength: 6 }),
    fc.dictionary(
      text.filter((key) => !/^(?:toJSON|_bsontype|__proto__)$/.test(key)),
      tie('value'),
      { maxKeys: 5 },
    ),
  ),
})).value;

const hasIntegerKey = (value: unknown): boolean => !Array.isArray(value) && Object.keys(value ?? {}).some((key) => /^\d+$/.test(key));
const jsonOf = (hex: string): unknown => JSON.parse(Buffer.from(hex, 'hex').toString());

describe.each(FREE)('transcoder of any document from %s', (from) => {
  it.each(FREE)('matches decoding and encoding to %s, for any root', async (to) => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(values, fc.array(values, { maxLength: 20 })), lengths, fc.boolean(), async (value, pieces, isSequence) => {
        const sequence =
          isSequence && Array.isArray(value) && value.every((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
        const own = from === 'bson' && !sequence ? { value } : value;
        const bytes = await encoder.encode(own, of(from, { sequence }));
        const [encoded, transcoded] = await both(bytes, of(from, { sequence }), of(to, { sequence }), pieces);
        // Objects put integer keys first; a text written while reading keeps them in place.
        if (to === 'json' && hasIntegerKey(own)) expect(jsonOf(transcoded)).toEqual(jsonOf(encoded));
        else expect(transcoded).toBe(encoded);
      }),
      { numRuns: 60 },
    );
  });
});
