import { beforeAll, describe, expect, test } from 'vitest';
import { ownKey } from '../../../../main/block/key.ts';
import { frameHeader, frameTrailer } from '../../../../main/block/part-stream.ts';
import { formatBlockType } from '../../../../main/block/type.ts';
import { BlockVerifier } from '../../../../main/block/verify/verify.ts';
import type { DecodeOptions } from '../../../../main/call/options/options.ts';
import { createDecoder } from '../../../../main/index.ts';
import {
  ENTRY_GROUP,
  ENTRY_RAW,
  ENTRY_SHAPES,
  ENTRY_STRINGS,
  ENTRY_TABLE,
  ENTRY_TAPE,
  HEADER_BYTES,
  KIND_BOOLEAN,
  KIND_EMPTY,
  KIND_VARIANT,
  LIST_KEYS,
  LIST_TEXT,
  MAGIC,
  PART_BATCH,
  PART_LAST,
  PART_LIST,
  TAG_BIGINT,
  TAG_BITS,
  TAG_LIST,
  TAG_OBJECT,
  TAG_ROWS,
  TAG_STRING,
  VERSION,
} from '../../../../core/block/block.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { ColumnSink } from '../../../../core/sinks/columns/columns.ts';
import { Random } from '../../../fuzz/mutate.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import { emit } from '../../../setup/values/emit.ts';
import { encodeTree, randomItems } from '../../../setup/values/irregular.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';
import json from '../../../../core/formats/json/index.ts';

const page = createDecoder();
let key: string;
beforeAll(async () => {
  key = (await ownKey())!;
});

/** Part with sections. Directory entries locate the sections through functions. */
function part(flags: number, entries: (number | { at: number })[][], sections: (Uint8Array | Int32Array)[] = []): ArrayBuffer {
  const places: number[] = [];
  let length = HEADER_BYTES;
  for (const section of sections) {
    places.push(length);
    length += Math.ceil(section.byteLength / 8) * 8;
  }
  const directory = entries.flat().map((word) => (typeof word === 'number' ? word : places[word.at]!));
  const bytes = new Uint8Array(Math.ceil((length + directory.length * 4) / 8) * 8);
  for (const [index, section] of sections.entries()) bytes.set(new Uint8Array(section.buffer, section.byteOffset, section.byteLength), places[index]);
  new Int32Array(bytes.buffer, 0, 5).set([MAGIC, VERSION, flags, length, directory.length]);
  new Int32Array(bytes.buffer, length, directory.length).set(directory);
  return bytes.buffer;
}

const at = (index: number): { at: number } => ({ at: index });
const words = (...all: number[]): Int32Array => Int32Array.from(all);
const text = (all: string): Uint8Array => new TextEncoder().encode(all);

function response(...parts: ArrayBuffer[]): Response {
  const body = new Blob([...parts.flatMap((one) => [frameHeader(one.byteLength), one]), frameTrailer()]);
  return new Response(body, { headers: { 'Content-Type': formatBlockType('stream', 'json', VERSION, key) } });
}

const malformed = { name: 'DecodeError', code: 'malformed', format: 'json' };

/** A key, its shape, and a table with this shape, in the first three sections. */
const TABLE = (table = 0): (number | { at: number })[][] => [
  [ENTRY_STRINGS, LIST_KEYS, 0, 1, at(0), at(1), 1, 1],
  [ENTRY_SHAPES, 1, 1, at(2)],
  [ENTRY_TABLE, table, 1],
];
const KEY_SECTIONS = [words(1), text('a'), words(0)];

describe.each(['objects', 'rows', 'columns'] as const)('decoder of a block as %s', (as) => {
  const options: DecodeOptions = { as };

  test('decodes a well-formed block', async () => {
    const tape = words(TAG_LIST | (1 << TAG_BITS), 2, TAG_ROWS, 0, 2);
    const entries = [...TABLE(), [ENTRY_GROUP, 0, 0, 2, at(3), 0, 1, KIND_BOOLEAN, 0, at(4), 0, 0], [ENTRY_TAPE, at(5), 5]];
    const good = part(PART_LAST, entries, [...KEY_SECTIONS, words(), text('\x01\x00'), tape]);
    const value = await page.decode(response(good), options);
    expect(JSON.parse(JSON.stringify(value))).toEqual(as === 'columns' ? { a: [true, false] } : [{ a: true }, { a: false }]);
  });

  test.each<[string, ArrayBuffer]>([
    ['claims 2³¹ − 1 items but has none', part(PART_LAST, [[ENTRY_TAPE, at(0), 2]], [words(TAG_LIST, 2 ** 31 - 1)])],
    [
      'claims 2³¹ − 1 rows without columns',
      part(
        PART_LAST,
        [
          [ENTRY_TABLE, 0, 0],
          [ENTRY_GROUP, 0, 0, 2 ** 31 - 1, at(0), 0, 0],
          [ENTRY_TAPE, at(0), 5],
        ],
        [words(TAG_LIST, 2 ** 31 - 1, TAG_ROWS, 0, 2 ** 31 - 1)],
      ),
    ],
    [
      'claims rows of a column that has neither values nor states',
      part(
        PART_LAST,
        [...TABLE(), [ENTRY_GROUP, 0, 0, 2 ** 29, at(3), 0, 1, KIND_EMPTY, 0, 0, 0, 0], [ENTRY_TAPE, at(3), 5]],
        [...KEY_SECTIONS, words(TAG_LIST, 2 ** 29, TAG_ROWS, 0, 2 ** 29)],
      ),
    ],
    [
      'refers to rows of a table that it has not',
      part(PART_LAST, [...TABLE(1), [ENTRY_TAPE, at(3), 5]], [...KEY_SECTIONS, words(TAG_LIST, 1, TAG_ROWS, 0, 1)]),
    ],
    [
      'has the same rows in two places',
      part(
        PART_LAST,
        [...TABLE(), [ENTRY_GROUP, 0, 0, 1, at(3), 0, 1, KIND_BOOLEAN, 0, at(4), 0, 0], [ENTRY_TAPE, at(5), 8]],
        [...KEY_SECTIONS, words(), text('\x01'), words(TAG_LIST, 2, TAG_ROWS, 0, 1, TAG_ROWS, 0, 1)],
      ),
    ],
    [
      'has a row within itself',
      part(
        PART_LAST,
        [...TABLE(), [ENTRY_GROUP, 0, 0, 1, at(3), 5, 1, KIND_VARIANT, 0, at(4), 0, 0], [ENTRY_TAPE, at(5), 1]],
        [...KEY_SECTIONS, words(TAG_LIST, 1, TAG_ROWS, 0, 1), words(0), words(0)],
      ),
    ],
    [
      'has rows without a list',
      part(
        PART_LAST,
        [...TABLE(), [ENTRY_GROUP, 0, 0, 1, at(3), 0, 1, KIND_BOOLEAN, 0, at(4), 0, 0], [ENTRY_TAPE, at(5), 3]],
        [...KEY_SECTIONS, words(), text('\x01'), words(TAG_ROWS, 0, 1)],
      ),
    ],
    ['has a list of an unknown shape', part(PART_LAST, [[ENTRY_TAPE, at(0), 2]], [words(TAG_LIST | (15 << TAG_BITS), 0)])],
    ['has an object of an unknown shape', part(PART_LAST, [[ENTRY_TAPE, at(0), 2]], [words(TAG_OBJECT | (7 << TAG_BITS), 0)])],
    ['refers to an unknown string', part(PART_LAST, [[ENTRY_TAPE, at(0), 2]], [words(TAG_STRING, 0)])],
    [
      'has an integer of letters',
      part(
        PART_LAST,
        [
          [ENTRY_STRINGS, LIST_TEXT, 0, 1, at(0), at(1), 1, 1],
          [ENTRY_TAPE, at(2), 2],
        ],
        [words(1), text('x'), words(TAG_BIGINT, 0)],
      ),
    ],
    [
      'has text of invalid UTF-8',
      part(
        PART_LAST,
        [
          [ENTRY_STRINGS, LIST_TEXT, 0, 1, at(0), at(1), 1, 0],
          [ENTRY_TAPE, at(2), 2],
        ],
        [words(1), Uint8Array.of(0xff), words(TAG_STRING, 0)],
      ),
    ],
    [
      'has strings that end before they begin',
      part(
        PART_LAST,
        [
          [ENTRY_STRINGS, LIST_TEXT, 0, 2, at(0), at(1), 1, 1],
          [ENTRY_TAPE, at(2), 2],
        ],
        [words(1, 0), text('x'), words(TAG_STRING, 0)],
      ),
    ],
    [
      'has a shape that is its own parent',
      part(
        PART_LAST,
        [
          [ENTRY_STRINGS, LIST_KEYS, 0, 1, at(0), at(1), 1, 1],
          [ENTRY_SHAPES, 1, 1, at(2)],
          [ENTRY_TAPE, at(2), 1],
        ],
        [words(1), text('a'), words(1)],
      ),
    ],
    [
      'has raw rows, which a service worker never writes',
      part(
        PART_LAST,
        [
          [ENTRY_RAW, 0, 0, 0, at(0), at(0), 0, 0x2c],
          [ENTRY_TAPE, at(0), 1],
        ],
        [words(0)],
      ),
    ],
    [
      'has two sections that share their bytes',
      part(
        PART_LAST,
        [
          [ENTRY_STRINGS, LIST_TEXT, 0, 16, at(0), at(0), 64, 1],
          [ENTRY_TAPE, at(1), 1],
        ],
        [new Int32Array(16), words(0)],
      ),
    ],
    ['has a section outside of its part', part(PART_LAST, [[ENTRY_TAPE, 2 ** 30, 1]])],
    ['has a section before its part', part(PART_LAST, [[ENTRY_TAPE, -8, 1]])],
    ['has a directory outside of its part', new Int32Array([MAGIC, VERSION, PART_LAST, 32, 2 ** 30, 0, 0, 0]).buffer],
    ['has an unknown entry', part(PART_LAST, [[99]])],
    ['is truncated', new ArrayBuffer(8)],
    ['ends without a value', part(PART_LAST, [])],
  ])('rejects a block that %s', async (_, bytes) => {
    const error: unknown = await page.decode(response(bytes), { ...options, timeout: 3_600_000 }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).toMatchObject({ name: 'DecodeError', format: 'json' });
    expect(['malformed', 'truncated']).toContain((error as { code: string }).code);
  });

  test('rejects a block whose last part is missing or followed by another', async () => {
    const last = part(PART_LAST, [[ENTRY_TAPE, at(0), 1]], [words(0)]);
    await expect(page.decode(response(part(0, [])), options)).rejects.toMatchObject({ ...malformed, code: 'truncated' });
    await expect(page.decode(response(last, last.slice(0)), options)).rejects.toMatchObject(malformed);
  });

  test('rejects a block of batches', async () => {
    await expect(page.decode(response(part(PART_LIST, [])), options)).rejects.toMatchObject({ name: 'DecodeError', code: 'unsupported' });
  });
});

test('batches are rejected if the list is missing or a batch is not a list', async () => {
  const bad = [
    [part(PART_BATCH, [[ENTRY_TAPE, at(0), 2]], [words(TAG_LIST, 0)])],
    [part(PART_LIST, []), part(PART_BATCH, [])],
    [part(PART_LIST, []), part(PART_BATCH, [[ENTRY_TAPE, at(0), 1]], [words(0)])],
    [part(PART_LIST, []), part(PART_LIST, [])],
    [part(PART_LIST, []), part(PART_LAST, [[ENTRY_TAPE, at(0), 1]], [words(0)])],
  ];
  for (const parts of bad) await expect(page.batches(response(...parts)).next()).rejects.toMatchObject(malformed);
});

describe('decoder of a block with limits', () => {
  const blockOf = (value: unknown): Response => {
    const parts: ArrayBuffer[] = [];
    const sink = new ColumnSink((one) => parts.push(one), resolveLimits());
    emit(sink, value);
    sink.finish();
    return response(...parts);
  };
  const rows = Array.from({ length: 10 }, (_, id) => ({ id, name: `row ${id}`, at: [[id]] }));

  test.each<[string, unknown, Required<DecodeOptions>['limits'], string]>([
    ['values', rows, { values: 40 }, 'values'],
    ['depth within rows', rows, { depth: 3 }, 'depth'],
    ['depth', [[[[1]]]], { depth: 3 }, 'depth'],
    ['strings of rows', rows, { stringLength: 4 }, 'stringLength'],
    ['strings', ['abcde'], { stringLength: 4 }, 'stringLength'],
    ['keys', [{ abcde: 1 }], { stringLength: 4 }, 'stringLength'],
    ['binary values', [new Uint8Array(5)], { binaryLength: 4 }, 'binaryLength'],
  ])('bounds %s', async (_, value, limits, limit) => {
    expect(await page.decode(blockOf(value))).toEqual(value);
    await expect(page.decode(blockOf(value), { limits })).rejects.toMatchObject({ name: 'LimitError', limit, format: 'json' });
  });

  test('bounds the depth of rows within rows, for any number of tables', async () => {
    let tree: unknown = [];
    for (let level = 0; level < 400; level++)
      tree = [
        { tree, level },
        { tree: [], level },
      ];
    assertSame(await page.decode(blockOf(tree)), tree);
    await expect(page.decode(blockOf(tree), { limits: { depth: 700 } })).rejects.toMatchObject({ name: 'LimitError', limit: 'depth' });
  });

  test('bounds batches', async () => {
    const parts: ArrayBuffer[] = [];
    const sink = new ColumnSink((one) => parts.push(one), resolveLimits());
    sink.batch([], 4);
    emit(sink, rows);
    sink.finish();
    const batches = page.batches(response(...parts), { limits: { depth: 3 } });
    await expect(batches.next()).rejects.toMatchObject({ name: 'LimitError', limit: 'depth' });
  });
});

test('a long part is verified in slices, so that the page stays responsive', () => {
  const parts: ArrayBuffer[] = [];
  const sink = new ColumnSink((one) => parts.push(one), resolveLimits());
  emit(
    sink,
    Array.from({ length: 50_000 }, (_, id) => [id, [id]]),
  );
  sink.finish();
  const verifier = new BlockVerifier(resolveLimits(), false);
  const steps = parts.flatMap((one) => [...verifier.part(one, 0, one.byteLength)]).length;
  expect(steps).toBeGreaterThan(5);
});

test('blocks of irregular documents pass verification, including dictionaries that are still empty', async () => {
  for (let seed = 500; seed < 500 + caseCount(20, { least: 6 }); seed += 1) {
    const items = randomItems(new Random(seed), { rows: 500, loose: 0.01, repeated: 0 });
    const text = encodeTree('json', items, false);
    const value = await throughBlock((sink) => json.createReader(sink, {}, resolveLimits(), undefined).end(text));
    assertSame(value, JSON.parse(new TextDecoder().decode(text)));
  }
});
