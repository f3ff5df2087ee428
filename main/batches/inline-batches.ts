import { DecodeSession, type SessionSetting } from '../../worker/decode.ts';
import type { BatchSetting } from '../../worker/protocol.ts';
import type { Assembler } from './assembler.ts';
import { type BatchFeed, MOST_WAITING } from './feed.ts';
import type { PayloadInput } from '../input/payload-input.ts';
import { noList } from './pool-batches.ts';

/** Bytes that are decoded between two looks at what goes on. */
const SLICE_BYTES = 16 * 1024;

/** Decodes an input on this thread into batches, as they are taken. Never rejects: an error is the feed's end. */
export async function decodeBatches(
  setting: SessionSetting,
  batches: BatchSetting,
  input: Pick<PayloadInput, 'next' | 'cancel'>,
  feed: BatchFeed,
  assembler: Assembler,
): Promise<void> {
  const { ColumnSink } = await import('../../worker/sinks/columns.ts');
  const sink = new ColumnSink((part) => feed.push(part), setting.limits);
  sink.batch(batches.path, batches.items);
  let resume: (() => void) | undefined;
  feed.taken = feed.left = () => resume?.();
  try {
    const session = new DecodeSession(setting, sink);
    for (let chunk = await input.next(); chunk; chunk = await input.next()) {
      if (session.received === 0) await session.prepare(chunk);
      for (let at = 0; at < chunk.length; at += SLICE_BYTES) {
        while (feed.waiting >= MOST_WAITING) await new Promise<void>((resolve) => (resume = resolve));
        if (feed.over) return;
        session.push(chunk.subarray(at, at + SLICE_BYTES));
        if (batches.items === undefined) sink.cut();
      }
    }
    session.end();
    sink.finish();
    if (assembler.found) feed.end();
    else feed.fail(noList({ format: setting.id, batches }));
  } catch (error) {
    try {
      sink.salvage();
    } catch {
      // What is left holds an error of its own; that which came first is the outcome.
    }
    input.cancel(error);
    feed.fail(error);
  }
}
