import { Packr } from 'msgpackr';
import { serialize } from 'bson';
import { Encoder } from 'cbor-x';
import { describe, expect, test } from 'vitest';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import { type ReadSetting, readSpans } from '../../../../devtools-extension/reading/spans/read-spans.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import type { FormatId } from '../../../../core/format/format-id.ts';
import type { SpanTree } from '../../../../core/sinks/spans/tree.ts';
import { bytesOf, hex } from '../../../setup/values/hex.ts';
import fc from '../../../setup/properties/property.ts';
import { anyDocument } from '../../core/formats/bson/arbitrary.ts';
import { encode as encodeSia } from '../../core/formats/sia/reference.ts';
import { anyItem } from '../../core/formats/cbor/arbitrary.ts';
import { anyValue } from '../../core/formats/messagepack/arbitrary.ts';
import { anyValue as anySia } from '../../core/formats/sia/arbitrary.ts';
import { bodyOf, checkBody, readDamaged, readWhole } from '../read.ts';

async function read(format: FormatId, bytes: Uint8Array, setting: Partial<ReadSetting> = {}): Promise<SpanTree> {
  return (await readWhole(bytes, { format, ...setting })).tree!;
}

/** Deterministic numbers from 0 to 1. */
function noiseOf(seed: number): () => number {
  let state = (seed % 2_147_483_646) + 1;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

/** Reads a body intact, damaged, and twice in a row. */
async function readAll(format: FormatId, bytes: Uint8Array, seed: number, setting: Partial<ReadSetting> = {}): Promise<SpanTree> {
  const whole = await read(format, bytes, setting);
  await readDamaged(bytes, { format, ...setting }, noiseOf(seed), 3);
  if (format !== 'bson' || bytes.length > 0) {
    const two = await read(format, Uint8Array.from([...bytes, ...bytes]), { ...setting, options: { ...setting.options, sequence: true } });
    expect(two.childCount(two.root)).toBe(2);
  }
  return whole;
}

const json = (text: string): Uint8Array => new TextEncoder().encode(text);

/** Every entry as `path start..value..end`. */
function lines(tree: SpanTree): string[] {
  const { starts, values, ends } = tree.data;
  return Array.from({ length: tree.count - 1 }, (_, i) => {
    const node = i + 1;
    return `${tree.path(node).join('.')} ${starts[node]}..${values[node]}..${ends[node]}`;
  });
}

describe('readSpans', () => {
  test('assigns white space and commas of JSON to the container', async () => {
    const tree = await read('json', json('{ "a": [1, "b\\n"], "c": null }'));
    expect(lines(tree)).toEqual([' 0..0..30', 'a 2..7..17', 'a.0 8..8..9', 'a.1 11..11..16', 'c 19..24..28']);
    expect(exportValue(tree, 1)).toEqual({ a: [1, 'b\n'], c: null });
  });

  test('includes the bytes of each MessagePack value', async () => {
    const tree = await read('messagepack', bytesOf(0x82, 0xa1, 'a', 0xcd, 1, 2, 0xa1, 'b', 0x91, 0xa2, 'hi'));
    expect(lines(tree)).toEqual([' 0..0..12', 'a 1..3..6', 'b 6..8..12', 'b.0 9..9..12']);
  });

  test('includes the definition of a record', async () => {
    const tree = await read('messagepack', bytesOf(0x92, hex('d4 72 40 92'), 0xa1, 'a', 0xa1, 'b', 1, 2, 0x40, 3, 0xc0));
    expect(lines(tree)).toEqual([' 0..0..14', '0 1..1..11', '0.a 9..9..10', '0.b 10..10..11', '1 11..11..14', '1.a 12..12..13', '1.b 13..13..14']);
  });

  test('includes tags and lengths of Protocol Buffers, with and without a schema', async () => {
    const bytes = hex('08 96 01 12 03 61 62 63 1a 02 08 01 1a 02 08 02');
    const plain = await read('protobuf', bytes);
    expect(exportValue(plain, 1, true)).toEqual({ 1: 150, 2: 'abc', 3: [{ 1: 1 }, { 1: 2 }] });
    const schema = await protobuf.compileSchema!({
      proto: 'syntax = "proto3"; message M { int32 id = 1; string name = 2; repeated N list = 3; message N { int32 n = 1; } }',
      message: 'M',
    });
    const named = await read('protobuf', bytes, { schema });
    expect(exportValue(named, 1, true)).toEqual({ id: 150, name: 'abc', list: [{ n: 1 }, { n: 2 }] });
  });

  test('leads from a byte to the innermost value', async () => {
    const tree = await read('json', json('{"a":[10,20],"b":"x"}'));
    const at = (offset: number): string => tree.path(tree.nodeAt(offset)).join('.');
    expect([0, 2, 5, 6, 8, 9, 17, 20].map((offset) => at(offset))).toEqual(['', 'a', 'a', 'a.0', 'a', 'a.1', 'b', '']);
  });
});

describe('readSpans', () => {
  const runs = { numRuns: 150 };

  test('covers JSON values correctly: intact, damaged and consecutive', () =>
    fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.nat(2), fc.nat(), async (value, space, seed) => {
        const tree = await readAll('json', json(` ${JSON.stringify(value, undefined, space)}\n`), seed);
        expect(JSON.stringify(exportValue(tree, 1)).replaceAll('{"$number":"-0"}', '0')).toBe(JSON.stringify(value));
      }),
      runs,
    ));

  test.each([
    ['maps', { useRecords: false }],
    ['records', { useRecords: true, moreTypes: true }],
    ['structured clones', { structuredClone: true, moreTypes: true }],
    ['bundled strings', { bundleStrings: true, useRecords: true }],
  ])('covers MessagePack values as %s correctly: intact, damaged and consecutive', (_, options) => {
    const packr = new Packr(options);
    // If damaged, one of its strings would have its text in a key.
    const name = '𐤐🩭ꠉ𐅅羅𛃴ỿ𝢣၊';
    const overlapping = [
      { [name]: new Date('1969-12-31T23:52:33.900Z'), größe: false, id: false },
      { [name]: null, größe: '⊕ꌵỜ𝪇ἱࠒ𒐘戴', id: 'ލ᎖ꫨ𐝋𐘑ｓꔔ🕺⸶' },
      { [name]: [false, true, 5288.88, false], größe: null, id: false },
      { [name]: new Date('1970-01-01T00:01:19.100Z'), größe: null, id: String.raw`7i?>\<n_` },
      { [name]: null, größe: null, id: null },
    ];
    const values = anyValue({ dates: true, bytes: true, shared: 'structuredClone' in options, classes: 'structuredClone' in options });
    return fc.assert(
      fc.asyncProperty(values, fc.nat(), async (value, seed) => {
        await readAll('messagepack', Uint8Array.from(packr.pack(value)), seed);
      }),
      { ...runs, examples: [[overlapping, 1_363_709_813]] },
    );
  });

  test('covers CBOR values correctly: intact, damaged and consecutive', () =>
    fc.assert(
      fc.asyncProperty(anyItem({ keys: 'text' }), fc.nat(), async (item, seed) => {
        await readDamaged(Uint8Array.from(item), { format: 'cbor' }, noiseOf(seed), 3);
        const reading = await readSpans(Uint8Array.from(item), { format: 'cbor' });
        checkBody(bodyOf(Uint8Array.from(item), { format: 'cbor' }, reading));
      }),
      runs,
    ));

  test.each([
    ['records', { useRecords: true }],
    ['shared values', { structuredClone: true }],
    ['bundled strings', { bundleStrings: true }],
    ['packed values', { pack: true }],
  ])('covers cbor-x values with %s correctly: intact, damaged and consecutive', (_, options) => {
    const encoder = new Encoder(options);
    return fc.assert(
      fc.asyncProperty(fc.jsonValue(), fc.nat(), async (value, seed) => {
        await readAll('cbor', Uint8Array.from(encoder.encode(value)), seed);
      }),
      runs,
    );
  });

  test('covers BSON values correctly: intact, damaged and consecutive', () =>
    fc.assert(
      fc.asyncProperty(anyDocument, fc.nat(), async (value, seed) => {
        await readAll('bson', Uint8Array.from(serialize(value, { ignoreUndefined: false })), seed);
      }),
      runs,
    ));

  test('covers Sia values correctly: intact, damaged and consecutive', () =>
    fc.assert(
      fc.asyncProperty(anySia(true), fc.nat(), async (value, seed) => {
        await readAll('sia', Uint8Array.from(encodeSia(value)), seed);
      }),
      runs,
    ));
});

test('numbers are kept when the columns grow', async () => {
  const numbers = Array.from({ length: 5_000 }, (_, i) => i % 100);
  const tree = await read('messagepack', Uint8Array.from(new Packr({ useRecords: false }).pack(numbers)));
  expect(exportValue(tree, 1)).toEqual(numbers);
});

test.each<FormatId>(['json', 'messagepack', 'cbor', 'protobuf', 'bson', 'sia', 'avro'])(
  'arbitrary bytes read as %s give a tree and an error',
  (format) =>
    fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), async (bytes) => {
        checkBody(bodyOf(bytes, { format }, await readSpans(bytes, { format })));
      }),
      { numRuns: 300 },
    ),
);

test('a truncated value is a tree up to its end', async () => {
  const whole = Uint8Array.from(new Packr({ useRecords: false }).pack({ list: [1, 2, { a: 'text', b: [true] }], end: null }));
  for (let length = 1; length < whole.length; length += 1) {
    const bytes = whole.slice(0, length);
    const reading = await readSpans(bytes, { format: 'messagepack' });
    expect(reading.error?.code).toBe('truncated');
    checkBody(bodyOf(bytes, { format: 'messagepack' }, reading));
  }
});

test('ten megabytes need at most ten times their size in memory', async () => {
  const rows = Array.from({ length: 46_000 }, (_, i) => ({
    id: i,
    name: `Station ${i % 700}`,
    lat: 40 + i / 1e6,
    lon: -74.25,
    started: '2024-05-01T08:00:00Z',
    ended: '2024-05-01T08:10:00Z',
    member: i % 3 === 0,
    distance: i * 3,
    rideable: 'electric_bike',
    fee: null,
    note: 'a longer note about the trip '.repeat(2),
  }));
  const bytes = Uint8Array.from(new Packr({ useRecords: false }).pack(rows));
  expect(bytes.length).toBeGreaterThan(9e6);
  const { data } = await readSpans(bytes, { format: 'messagepack' });
  const columns = [data.kinds, data.starts, data.values, data.ends, data.heads, data.nexts, data.parents, data.keys, data.numbers];
  const size = columns.reduce((sum, column) => sum + column.buffer.byteLength, 0);
  expect(size).toBeLessThan(9 * bytes.length);
});
