import { parseBlockType } from './type.ts';
import { blockEntry } from './open.ts';
import type { Core } from '../decoder/core.ts';
import type { DecodeReport } from '../decoder/observe.ts';
import type { Operation } from '../decoder/operation.ts';
import type { BatchOptions } from '../decoder/options.ts';
import { readParts } from './parts.ts';
import { Assembler } from '../batches/assembler.ts';
import { BatchFeed, MOST_WAITING } from '../batches/feed.ts';
import { noList } from '../batches/pool-batches.ts';
import { buildTools } from '../decoder/tools.ts';

/** Gives out the batches in which a service worker has decoded a payload, as they come. */
export async function openBatches(
  core: Core,
  operation: Operation,
  source: Response,
  options: BatchOptions,
  report: DecodeReport,
): Promise<BatchFeed> {
  if (parseBlockType(source.headers.get('content-type'))?.form !== 'stream') {
    throw new TypeError('a block comes as a whole, not in batches: decode it, or let the route of the service worker stream');
  }
  const entry = blockEntry(source);
  const tools = await buildTools.load(entry);
  report.format = entry.id;
  const assembler = new Assembler({
    as: report.as,
    revive: tools.code.fullRevive(tools.format, options.revive ?? core.options.revive),
  });
  const feed = new BatchFeed(operation, assembler, options.buildMs);
  const parts = readParts(source.body!);
  let resume: (() => void) | undefined;
  feed.taken = () => resume?.();
  operation.stop = (reason) => {
    feed.abandon(reason);
    resume?.();
  };
  operation.ended = () => {
    report.rows = assembler.items;
    report.materialiseMs = assembler.materialiseMs;
    report.longestSliceMs = assembler.longestSliceMs;
    resume?.();
  };
  const read = async (): Promise<void> => {
    try {
      for await (const part of parts) {
        if (operation.settled) return;
        report.bytes += part.byteLength;
        feed.push(part);
        while (feed.waiting >= MOST_WAITING && !operation.settled) await new Promise<void>((resolve) => (resume = resolve));
      }
      if (assembler.found) feed.end();
      else feed.fail(noList({ format: entry.id, batches: { path: [], items: undefined } }));
    } catch (error) {
      feed.fail(error);
    }
  };
  void read();
  return feed;
}
