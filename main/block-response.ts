import { VERSION } from '../worker/block.ts';
import { type FormatEntry, formatEntry } from '../worker/formats/registry.ts';
import { readBlock } from './block-stream.ts';
import { parseBlockType } from './block-type.ts';
import type { Core } from './core.ts';
import type { DecodeReport } from './observe.ts';
import type { Operation } from './operation.ts';
import type { DecodeOptions } from './options.ts';
import { readParts } from './part-stream.ts';
import { buildTools, type FormatTools } from './tools.ts';

/** Opens a block that a service worker has decoded, and settles the operation. */
export async function openBlock(
  core: Core,
  operation: Operation,
  source: Response,
  options: DecodeOptions,
  report: DecodeReport,
): Promise<void> {
  try {
    // Bytes are read while the code loads that opens them.
    const waiting: ArrayBuffer[] = [];
    let take = (part: ArrayBuffer): void => void waiting.push(part);
    const read = async (): Promise<void> => {
      for await (const part of partsOf(source)) {
        if (operation.settled) return;
        report.bytes += part.byteLength;
        take(part);
      }
      report.readMs = performance.now() - report.startTime;
    };
    const reading = read();
    reading.catch(() => {});
    const { entry, tools } = await blockTools(source);
    report.format = entry.id;
    if (operation.settled) return;
    const revive = tools.code.fullRevive(tools.format, options.revive ?? core.options.revive);
    const materialiser = new tools.code.Materialiser({ as: report.as, codegen: core.options.codegen === true, revive });
    operation.stop = (reason) => {
      materialiser.cancel(reason);
      if (!source.bodyUsed) void source.body?.cancel(reason);
    };
    take = (part) => materialiser.push(part);
    for (const part of waiting.splice(0)) take(part);
    await reading;
    if (operation.settled) return;
    const value = await materialiser.done();
    Object.assign(report, materialiser.stats);
    operation.resolve(value);
  } catch (error) {
    operation.reject(error);
  }
}

/** What a response says of its block, and the code that opens it. Rejects with a TypeError where nobody can. */
export async function blockTools(
  source: Response,
): Promise<{ entry: FormatEntry; tools: FormatTools<typeof import('./build.ts')> }> {
  const type = parseBlockType(source.headers.get('content-type'));
  const entry = type && formatEntry(type.format);
  if (!type || !entry) throw new TypeError(`a block of an unknown kind: ${source.headers.get('content-type')}`);
  if (type.version !== VERSION) throw new TypeError(`a block of version ${type.version}, not ${VERSION}: clear the cache`);
  return { entry, tools: await buildTools.load(entry) };
}

function partsOf(source: Response): AsyncIterable<ArrayBuffer> {
  const isWhole = parseBlockType(source.headers.get('content-type'))?.form === 'block';
  return isWhole ? readBlock(source.body!) : readParts(source.body!);
}
