import { expect, test } from 'vitest';
import avro from '../../core/formats/avro/index.ts';
import { canonicalForm, fingerprintOf } from '../../core/formats/avro/schema/fingerprint.ts';
import { parseSchema } from '../../core/formats/avro/schema/parse.ts';
import { assertSame, decodeWith, sameInEveryCut } from '../setup/ways/differential.ts';
import { describeCorpus } from '../setup/servers/folders.ts';

await describeCorpus('avro', (corpus) => {
  const read = async (path: string): Promise<Uint8Array> => {
    const bytes = await corpus.bytes(path);
    await avro.prepare!(bytes);
    return bytes;
  };

  test.each(['weather', 'weather-deflate', 'weather-snappy', 'weather-zstd'])('the container %s decodes to its JSON', async (name) => {
    const rows = (await corpus.text('data/weather.json'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as unknown);
    const bytes = await read(`data/${name}.avro`);
    assertSame(decodeWith(avro, bytes), rows);
    assertSame(sameInEveryCut(avro, bytes), { value: rows });
  });

  test('the sorted container decodes to the same rows in another order', async () => {
    const rows = (await corpus.text('data/weather.json'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { time: number });
    // The schema sorts by the second field, as the first has the order "ignore".
    const sorted = rows.toSorted((a, b) => a.time - b.time);
    assertSame(decodeWith(avro, await read('data/weather-sorted.avro')), sorted);
  });

  test('the separate schemas of containers decode their blocks', async () => {
    const bytes = await read('data/weather.avro');
    const schema = await avro.compileSchema!(await corpus.text('schemas/weather.avsc'));
    assertSame(decodeWith(avro, bytes, { schema }), decodeWith(avro, bytes));
  });

  test('a container with metadata before its schema decodes', async () => {
    const rows = decodeWith(avro, await read('data/syncInMeta.avro')) as Record<string, unknown>[];
    expect(rows.length).toBeGreaterThan(0);
    expect(Object.keys(rows[0]!)).toEqual(['ID', 'First', 'Last', 'Phone', 'Age']);
  });

  test('the container of simple records decodes', async () => {
    const rows = ['hello', 'bonjour', 'guten tag'].map((text) => ({ text }));
    assertSame(decodeWith(avro, await read('data/schemas/simple/data.avro')), rows);
  });

  test('the container of unions decodes', async () => {
    const bytes = await read('data/schemas/withUnion/data.avro');
    const rows = [
      { data1: 'textValue', data2: null },
      { data1: 123, data2: { d1: false } },
      { data1: 3, data2: { d1: 'text value' } },
    ];
    assertSame(decodeWith(avro, bytes), rows);
    const wrapped = { data1: { string: 'textValue' }, data2: null };
    assertSame((decodeWith(avro, bytes, { options: { unions: 'wrapped' } }) as unknown[])[0], wrapped);
  });

  test('a single object decodes by its fingerprint', async () => {
    const schema = await avro.compileSchema!({ registered: [await corpus.text('data/messageV1/test_schema.avsc')] });
    const bytes = await corpus.bytes('data/messageV1/test_message.bin');
    const value = { id: 42, name: 'Bill', tags: ['dog_lover', 'cat_hater'] };
    expect(decodeWith(avro, bytes, { schema })).toEqual(value);
    sameInEveryCut(avro, bytes, { schema });
  });

  test('canonical forms and fingerprints match the specification', async () => {
    const text = await corpus.text('data/schema-tests.txt');
    let input = '';
    let count = 0;
    for (const [, name, short, long] of text.matchAll(/^<<(INPUT|canonical|fingerprint) ?(?:(.+)|\n([\s\S]*?)\nINPUT)$/gm)) {
      if (name === 'INPUT') input = short ?? long!;
      else if (name === 'canonical') expect(canonicalForm(parseSchema(input))).toBe(short);
      else {
        const bytes = new DataView(new ArrayBuffer(8));
        bytes.setBigInt64(0, BigInt(short!), true);
        const hex = Array.from(new Uint8Array(bytes.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('');
        expect(fingerprintOf(parseSchema(input))).toBe(hex);
        count += 1;
      }
    }
    expect(count).toBeGreaterThan(20);
  });
});
