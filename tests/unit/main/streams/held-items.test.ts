import { expect, test } from 'vitest';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import type { BatchOptions } from '../../../../main/call/options/options.ts';
import { JsonSlices } from '../../../../core/slicing/json/json-slices.ts';
import { SequenceReader } from '../../../../core/slicing/json/sequence.ts';
import { loadNumberLists } from '../../../../core/slicing/json/numbers/load-number-lists.ts';
import { PieceSize } from '../../../../core/slicing/piece-size.ts';
import { Slicer } from '../../../../core/slicing/slicer.ts';
import { HeldItems } from '../../../../main/streams/held-items.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import { ENDLESS_JSON, type EndlessJson, endlessJson } from '../../../setup/sources/endless.ts';

const encoder = new TextEncoder();
const decoder = createDecoder({ route: 'page' });

// Otherwise what is held would depend on when this code is loaded.
await loadNumberLists();

/** Bytes of the chunks and pieces, far fewer than those of the payload. */
const PIECE = 1_000;

function bytesOf(payload: EndlessJson, least: number): { bytes: Uint8Array; items: number } {
  let items = 0;
  for (let length = 0; length < least; items += 1) length += JSON.stringify(payload.item(items), undefined, payload.indent).length;
  return { bytes: encoder.encode([...endlessJson(payload, items)].join('')), items };
}

function* chunksOf(bytes: Uint8Array, size: number): Generator<Uint8Array<ArrayBuffer>, void> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.slice(at, at + size);
}

test.each(ENDLESS_JSON)('holds few bytes of a payload while its items pass: $name', async (payload) => {
  const { bytes, items } = bytesOf(payload, 60_000);
  const held = new HeldItems();
  let taken = 0;
  const take = (emitted: unknown[]): void => void (taken += emitted.length);
  const slices = new JsonSlices(resolveLimits(), new Slicer(undefined, { limit: 1e9 }), {
    items: { path: payload.path ?? [], take },
    size: new PieceSize(PIECE, PIECE),
    held,
    ...(payload.sequence && { Sequence: SequenceReader }),
  });
  let most = 0;
  for (const chunk of chunksOf(bytes, PIECE)) {
    await slices.push(chunk);
    let sum = 0;
    for (const part of held) if (part instanceof Uint8Array) sum += part.length;
    most = Math.max(most, sum);
  }
  await slices.end();
  expect({ taken, failed: slices.failed }).toEqual({ taken: items, failed: false });
  const longest = Math.max(...Array.from({ length: 50 }, (_, at) => JSON.stringify(payload.item(at), undefined, payload.indent).length));
  // The first items, the unread bytes, and the item that they begin in.
  expect(most).toBeLessThan(2 * longest + 6 * PIECE);
});

interface Outcome {
  /** Text of each item. */
  items: string[];
  rest?: unknown;
  error?: unknown;
}

async function outcome(bytes: Uint8Array, chunk: number, options: BatchOptions): Promise<Outcome> {
  const items: string[] = [];
  async function* chunks(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    yield* chunksOf(bytes, chunk);
  }
  const batches = decoder.batches(chunks(), options);
  try {
    for await (const batch of batches) for (const item of batch as unknown[]) items.push(JSON.stringify(item));
    return { items, rest: await batches.rest() };
  } catch (error) {
    const { name, message, code, offset, path } = error as Error & { code?: string; offset?: number; path?: unknown };
    return { items, error: { name, message, code, offset, path } };
  }
}

/** Faults, and values that the engine's parser leaves to the reader, in place of an item. */
const FAULTS: readonly { name: string; limits?: { depth?: number; stringLength?: number }; put: string }[] = [
  { name: 'none', put: '0' },
  { name: 'a byte that JSON does not have', put: '!' },
  { name: 'a bracket too many', put: ']}' },
  { name: 'a value that is too deep', limits: { depth: 12 }, put: `${'['.repeat(20)}${']'.repeat(20)}` },
  { name: 'a deep value', limits: { depth: 26 }, put: `${'['.repeat(20)}${']'.repeat(20)}` },
  { name: 'a text that is too long', limits: { stringLength: 3_000 }, put: JSON.stringify('x'.repeat(3_001)) },
  { name: 'a cut text', put: '"' },
];
const CHUNKS = [10_000, 65_536, Infinity];

test.each(ENDLESS_JSON.map((payload, index) => ({ ...payload, index })))(
  'batches on this thread continue where the engine gave up, with the same items and errors as those of the reader: $name',
  async ({ index, ...payload }) => {
    const { items } = bytesOf(payload, 100_000);
    const parts = [...endlessJson(payload, items)];
    const options = { format: 'json', path: payload.path } as const;
    const { sequence = false } = payload;
    let turn = index;
    for (let left = caseCount(FAULTS.length, { least: 2 }); left > 0; left -= 1) {
      const { limits, put } = FAULTS[turn % FAULTS.length]!;
      const at = turn % 2 > 0 ? items - 1 : Math.floor(items * 0.8);
      const text = [...parts.slice(0, at + 1), payload.between, put, ...parts.slice(at + 1)].join('');
      const bytes = encoder.encode(text);
      const chunk = CHUNKS[turn++ % CHUNKS.length]!;
      const expected = await outcome(bytes, 100_000, { ...options, limits, options: { sequence, bigints: 'bigint' } });
      const actual = await outcome(bytes, chunk, { ...options, limits, options: { sequence } });
      const differing = actual.items.findIndex((item, place) => item !== expected.items[place]);
      expect({ ...actual, items: actual.items.length, differing }).toEqual({ ...expected, items: expected.items.length, differing: -1 });
    }
  },
);

test.each([
  { name: 'a list', head: '[', item: '{"a":1},', sequence: false },
  { name: 'a sequence', head: '', item: '{"a":1}\n', sequence: true },
])('an error in a stream that has not ended is thrown at once: $name', async ({ head, item, sequence }) => {
  const options = { format: 'json', options: { sequence } } as const;
  async function* endless(): AsyncGenerator<Uint8Array<ArrayBuffer>, void> {
    yield encoder.encode(head + item.repeat(3));
    yield encoder.encode(`{"a":}${item}`);
    await new Promise(() => {});
  }
  const items: unknown[] = [];
  const read = async (): Promise<void> => {
    for await (const batch of decoder.batches(endless(), options)) items.push(...batch);
  };
  await expect(read()).rejects.toMatchObject({ code: 'malformed', path: [3, 'a'] });
  expect(items).toEqual([{ a: 1 }, { a: 1 }, { a: 1 }]);
});
