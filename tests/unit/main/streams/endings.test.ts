import { expect, test } from 'vitest';
import { BatchFeed } from '../../../../main/streams/feed.ts';
import { SlicedBatches } from '../../../../main/streams/sliced-batches.ts';
import { CORE } from '../../../../main/call/decoder-state.ts';
import { createDecoder } from '../../../../main/decoder/create-decoder.ts';
import { newReport } from '../../../../main/call/observe.ts';
import { Operation } from '../../../../main/call/operation.ts';
import { opened } from '../../../../main/call/input/payload.ts';
import { prepare } from '../../../../main/call/prepare.ts';

const bytes = new TextEncoder().encode(JSON.stringify(Array.from({ length: 20_000 }, (_, id) => ({ id, name: `row ${id}` }))));

/** Starts a decode on this thread into batches of a hundred. */
function decodeBatches(): { feed: BatchFeed; operation: Operation; decoding: Promise<void> } {
  const core = createDecoder()[CORE];
  const operation = new Operation(newReport({}), {}, () => {});
  operation.promise.catch(() => {});
  const prepared = prepare(core, bytes, { format: 'json' }, bytes);
  const supply = new SlicedBatches(
    core,
    operation,
    prepared,
    { ...opened(bytes), transferable: false, notRetryable: true },
    { path: [], items: 100 },
  );
  const feed = new BatchFeed(operation, supply, 4);
  return { feed, operation, decoding: supply.begin(feed) };
}

test('a decode on this thread that waits for its consumer ends when batches are no longer wanted', async () => {
  const { feed, operation, decoding } = decodeBatches();
  expect((await feed.next())?.value).toHaveLength(100);
  const reason = new Error('enough');
  operation.reject(reason);
  await decoding;
  expect(operation.report.rows).toBeLessThan(20_000);
  await expect(feed.next()).rejects.toBe(reason);
  expect(feed.waiting).toBe(0);
});

test('items decoded after the end of a feed are not emitted as a batch', async () => {
  const { feed, operation, decoding } = decodeBatches();
  await feed.next();
  const reason = new Error('enough');
  feed.fail(reason);
  const { waiting } = feed;
  for (let taken = 0; taken < waiting; taken += 1) expect(await feed.next()).toBeDefined();
  await expect(feed.next()).rejects.toBe(reason);
  expect(operation.settled).toBe(true);
  await decoding;
  expect(feed.waiting).toBe(0);
});
