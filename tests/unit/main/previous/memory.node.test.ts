/** Memory that refetches retain. Runs in Node, which lets a test collect garbage. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import json from '../../../../core/formats/json/index.ts';
import { changesOf } from '../../../../core/previous/changes.ts';
import { createDecoder, type Rows } from '../../../../main/index.ts';
import { decodeSync } from '../../../../main/sync.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

interface Item {
  id: number;
  version: number;
  text: string;
}

const REFETCHES = 300;
const encoder = new TextEncoder();

/** Version `version` of a list of 60 kB: one item is new, and one in a hundred has changed. */
function payload(version: number): Uint8Array {
  const items = Array.from({ length: 300 }, (_, id) => ({ id, version: id % 100 === version % 100 ? version : 0, text: 'x'.repeat(150) }));
  return encoder.encode(JSON.stringify([{ id: -version, version, text: '' }, ...items]));
}

/**
 * Bytes in use after a collection. The memory of buffers is counted until it has been swept in the background, so callers ask
 * again.
 */
async function usedMemory(): Promise<number> {
  // References are held until the end of the task.
  await new Promise((resolve) => setTimeout(resolve));
  collect();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

test('hundreds of refetches keep the last value and its bytes alone', async () => {
  const values: WeakRef<object>[] = [];
  let value: Item[] | undefined;
  let after50 = 0;
  for (let version = 0; version < REFETCHES; version += 1) {
    value = decodeSync<Item[]>(json, payload(version), { previous: value });
    values.push(new WeakRef(value));
    if (version !== 50 && version !== REFETCHES - 1) continue;
    // The bytes of thirty payloads.
    if (version === REFETCHES - 1) await expect.poll(usedMemory).toBeLessThan(after50 + 2_000_000);
    else after50 = await usedMemory();
  }
  expect(changesOf(value)).toHaveLength(1);
  expect(values.filter((earlier) => earlier.deref() !== undefined).length).toBeLessThanOrEqual(2);
});

test('hundreds of refetches of rows keep the last rows and their bytes alone', async () => {
  const decoder = createDecoder();
  const values: WeakRef<object>[] = [];
  let value: Rows<Item> | undefined;
  let after50 = 0;
  for (let version = 0; version < REFETCHES; version += 1) {
    value = await decoder.decode<Item[]>(payload(version), { as: 'rows', previous: value });
    expect(value.at(-1)!.id).toBe(299);
    values.push(new WeakRef(value));
    if (version !== 50 && version !== REFETCHES - 1) continue;
    if (version === REFETCHES - 1) await expect.poll(usedMemory).toBeLessThan(after50 + 2_000_000);
    else after50 = await usedMemory();
  }
  expect(changesOf(value)).toHaveLength(1);
  expect(values.filter((earlier) => earlier.deref() !== undefined).length).toBeLessThanOrEqual(2);
  decoder.close();
});
