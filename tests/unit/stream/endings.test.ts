import { expect, test } from 'vitest';
import { Operation } from '../../../main/decoder/operation.ts';
import type { Pool } from '../../../main/pool/pool.ts';
import { Assembler } from '../../../main/batches/assembler.ts';
import { BatchFeed } from '../../../main/batches/feed.ts';
import { FetchedBody } from '../../../main/input/fetched-body.ts';
import { decodeBatches } from '../../../main/batches/inline-batches.ts';
import { WorkerCrashError } from '../../../worker/errors.ts';
import json from '../../../worker/formats/json.ts';
import { resolveLimits } from '../../../worker/limits.ts';

const setting = { id: 'json' as const, format: json, options: {}, limits: resolveLimits() };
const bytes = new TextEncoder().encode(JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` }))));

/** A decode on this thread, with the input in one chunk. */
function decodeHere(): { feed: BatchFeed; assembler: Assembler; decoding: Promise<void> } {
  const assembler = new Assembler({ as: 'objects', revive: () => undefined });
  const operation = new Operation(undefined, undefined, () => {});
  operation.promise.catch(() => {});
  const feed = new BatchFeed(operation, assembler, 4);
  const chunks = [bytes];
  const input = { next: async () => chunks.shift(), cancel: () => {} };
  return { feed, assembler, decoding: decodeBatches(setting, { path: [], items: 100 }, input, feed, assembler) };
}

test('a decode on this thread that waits for its batches to be taken ends when none is wanted any more', async () => {
  const { feed, assembler, decoding } = decodeHere();
  expect((await feed.next())?.value).toHaveLength(100);
  const reason = new Error('enough');
  feed.abandon(reason);
  const { items } = assembler;
  await decoding;
  expect(assembler.items).toBe(items);
  await expect(feed.next()).rejects.toBe(reason);
  expect(feed.waiting).toBe(0);
});

test('what is decoded after the end is no batch', async () => {
  const { feed, decoding } = decodeHere();
  await feed.next();
  const reason = new Error('enough');
  feed.fail(reason);
  const { waiting } = feed;
  for (let taken = 0; taken < waiting; taken += 1) expect(await feed.next()).toBeDefined();
  await expect(feed.next()).rejects.toBe(reason);
  await decoding;
  expect(feed.waiting).toBe(0);
});

test('a request that no worker takes leaves nothing at its signal', async () => {
  const controller = new AbortController();
  const over = new AbortController();
  const cancelled: unknown[] = [];
  const failure = new WorkerCrashError('no worker could be made');
  const pool = { over: over.signal, submit: (task: FetchedBody) => task.fail(failure), cancel: (task: unknown) => cancelled.push(task) };
  const body = new FetchedBody(pool as unknown as Pool, { url: 'https://example.com/', init: {} }, controller.signal);
  await expect(body.head).rejects.toBe(failure);
  controller.abort();
  over.abort();
  expect(cancelled).toEqual([]);
});
