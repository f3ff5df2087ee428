import { Packr } from 'msgpackr';
import { describe, expect, test } from 'vitest';
import { Materialiser } from '../../../../../main/rows/materialise.ts';
import json from '../../../../../core/formats/json/index.ts';
import messagepack from '../../../../../core/formats/messagepack/index.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { reviveCore } from '../../../../../core/reading/revive.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import { RowSink } from '../../../../../core/kernels/row-sink.ts';
import type { Sink } from '../../../../../core/reading/sink.ts';
import { assertSame } from '../../../../setup/ways/differential.ts';
import { giveKernel, kernelOf, KERNELS } from '../../../../setup/kernels/kernels.ts';
import fc from '../../../../setup/properties/property.ts';

const formats = { json, messagepack };
type Id = keyof typeof formats;

/** Pushes chunks and overwrites each one after it was read. */
function read(id: Id, bytes: Uint8Array, size: number, sink: Sink): void {
  const reader = formats[id].createReader(sink, {}, resolveLimits(), undefined);
  for (let at = 0; at < bytes.length; at += size) {
    const chunk = bytes.slice(at, at + size);
    reader.push(chunk);
    chunk.fill(0xff);
  }
  reader.end();
}

const revive = (id: Id) => (tag: string, inner: unknown) => (tag.includes(':') ? formats[id].revive?.(tag, inner) : reviveCore(tag, inner));

interface Failure {
  code: unknown;
  offset: unknown;
  reason: unknown;
  path: (string | number)[];
}

type Outcome = { value: unknown } | { error: Failure };

function failure(error: unknown, sink: Sink): Outcome {
  const { code, offset, path, reason } = error as Failure;
  return { error: { code, offset, reason, path: path ?? sink.path() } };
}

/** Rows read by kernels, so that no test passes because kernels read none. */
let kernelRows = 0;

async function asColumns(id: Id, bytes: Uint8Array, size: number, kernel: string): Promise<Outcome> {
  const materialiser = new Materialiser({ as: 'objects', revive: revive(id) });
  const used = kernelOf(kernel);
  const sink = new RowSink((part) => materialiser.push(part), resolveLimits(), {}, used);
  try {
    read(id, bytes, size, sink);
  } catch (error) {
    return failure(error, sink);
  } finally {
    kernelRows += sink.kernelRows;
    giveKernel(used, kernel);
  }
  sink.finish();
  return { value: await materialiser.done() };
}

function asObjects(id: Id, bytes: Uint8Array): Outcome {
  const sink = new ObjectSink(revive(id));
  try {
    read(id, bytes, Math.max(bytes.length, 1), sink);
  } catch (error) {
    return failure(error, sink);
  }
  return { value: sink.result };
}

function stripKey(outcome: Outcome): void {
  if ('error' in outcome && typeof outcome.error.path.at(-1) === 'string') outcome.error.path.pop();
}

const { tree } = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'small' },
    fc.constantFrom<unknown>(null, true, false, 0, 1, -7, 1.5, 1e300, 2 ** 40, '', 'é', 'line\nbreak "quoted" \\ 😀'),
    fc.string({ unit: 'binary' }),
    fc.array(tie('tree'), { maxLength: 10 }),
    fc.array(
      fc.record({ id: fc.integer(), name: fc.string({ unit: 'grapheme' }), more: tie('tree') }, { requiredKeys: ['id'], noNullPrototype: true }),
      {
        maxLength: 40,
      },
    ),
    fc.dictionary(fc.string({ unit: 'grapheme', maxLength: 4 }), tie('tree'), { noNullPrototype: true, maxKeys: 6 }),
  ),
}));

/** Deterministic numbers from 0 to 1. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return (state >>> 8) / 2 ** 24;
  };
}

/** Kinds of values of a key, given a random number. */
const manners: ((at: number) => unknown)[] = [
  (at) => Math.floor(at * 100) - 20,
  (at) => Math.floor((at - 0.5) * 2 ** 31),
  (at) => Math.floor(at * 2 ** 32),
  (at) => at * 1000,
  (at) => at > 0.5,
  (at) => `name ${Math.floor(at * 20)}`,
  (at) => String(at),
  (at) => 'a text that is a little longer '.repeat(at > 0.9 ? 12 : 2).slice(Math.floor(at * 20)),
  (at) => (at > 0.8 ? 'Müller 😀' : 'Miller'),
  () => null,
  (at) => (at > 0.3 ? at * 10 : null),
  (at) => (at > 0.3 ? 'there' : null),
];
const odd: unknown[] = [null, -1, 2 ** 31, 2 ** 40, 0.5, true, '', 'é', 'x'.repeat(300), [1, 'two'], { in: [{ a: 1 }, { a: 2 }] }];
const names = ['id', 'x', 'name', 'a key that takes thirty-one byte', 'and one that takes more than thirty-one', 'ключ'];

/** Lists of objects that mostly share keys and, per key, the kind of value. */
const table: typeof tree = fc
  .record({
    seed: fc.nat(),
    width: fc.integer({ min: 1, max: names.length }),
    rows: fc.integer({ min: 0, max: 700 }),
    odds: fc.constantFrom(0, 0.002, 0.1),
  })
  .map(({ seed, width, rows, odds }) => {
    const random = randomFrom(seed);
    const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!;
    const columns = names.slice(0, width).map((name) => [name, pick(manners)] as const);
    const list = Array.from({ length: rows }, () => {
      const entries = columns.map(([name, manner]) => [name, random() < odds ? pick(odd) : manner(random())] as const);
      return Object.fromEntries(random() < odds ? entries.slice(1) : entries);
    });
    return random() < 0.5 ? list : { list, inner: [{ first: list.slice(0, 9) }, { first: list.slice(9) }, { first: [] }], last: 'é' };
  });

const encoders: Record<string, { id: Id; encode(value: unknown): Uint8Array }> = {
  JSON: { id: 'json', encode: (value) => new TextEncoder().encode(JSON.stringify(value)) },
  'JSON with white space': { id: 'json', encode: (value) => new TextEncoder().encode(JSON.stringify(value, null, 2)) },
  'MessagePack maps': { id: 'messagepack', encode: (value) => new Packr({ useRecords: false }).pack(value) },
  'MessagePack maps of exact size': { id: 'messagepack', encode: (value) => new Packr({ useRecords: false, variableMapSize: true }).pack(value) },
  'MessagePack records': { id: 'messagepack', encode: (value) => new Packr({ useRecords: true }).pack(value) },
  'MessagePack records with bundled strings': {
    id: 'messagepack',
    encode: (value) => new Packr({ useRecords: true, bundleStrings: true }).pack(value),
  },
};
const sizes = fc.constantFrom(1, 7, 64, 1_000, 1_000_000);

const values: [string, { arbitrary: typeof tree; numRuns: number }][] = [
  ['values', { arbitrary: tree, numRuns: 400 }],
  ['tables', { arbitrary: table, numRuns: 30 }],
];

describe('column sink', () => {
  for (const [name, encoder] of Object.entries(encoders)) {
    const { id } = encoder;
    test.each(values)(`agrees with the object sink on %s in ${name}`, async (_, { arbitrary, numRuns }) => {
      await fc.assert(
        fc.asyncProperty(arbitrary, sizes, async (value, size) => {
          const bytes = Uint8Array.from(encoder.encode(value));
          const expected = asObjects(id, bytes) as { value: unknown };
          expect(expected).toHaveProperty('value');
          for (const kernel of Object.keys(KERNELS)) assertSame(await asColumns(id, bytes, size, kernel), expected);
        }),
        { numRuns },
      );
      // Bundled strings lie outside their record, so no kernel reads it.
      if (arbitrary === table && !name.includes('bundled')) expect(kernelRows).toBeGreaterThan(0);
      kernelRows = 0;
    });

    test.each(values)(`agrees with the object sink on the error of damaged %s in ${name}`, async (_, { arbitrary, numRuns }) => {
      await fc.assert(
        fc.asyncProperty(arbitrary, sizes, fc.nat(), fc.nat(255), fc.boolean(), async (value, size, at, byte, cut) => {
          const bytes = Uint8Array.from(encoder.encode(value));
          if (bytes.length === 0) return;
          bytes[at % bytes.length] = byte;
          const spoilt = cut ? bytes.subarray(0, (at >> 8) % bytes.length) : bytes;
          const objects = asObjects(id, spoilt);
          for (const kernel of Object.keys(KERNELS)) {
            const columns = await asColumns(id, spoilt, size, kernel);
            const expected = 'error' in objects ? { error: { ...objects.error, path: [...objects.error.path] } } : objects;
            // A string in a table whose list has ended no longer has a path.
            if ('error' in columns && columns.error.code === 'invalid-utf8' && columns.error.path.length === 0) {
              columns.error.path = (expected as typeof columns).error.path;
            }
            // Between two fields of a record, one sink names the previous field and the other the next.
            if (name.includes('records')) for (const outcome of [columns, expected]) stripKey(outcome);
            assertSame(columns, expected);
          }
        }),
        { numRuns },
      );
    });
  }
});
