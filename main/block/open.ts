import { VERSION } from '../../worker/block/block.ts';
import { type FormatEntry, formatEntry } from '../../worker/formats/registry.ts';
import type { Core } from '../decoder/core.ts';
import { lazyReading } from '../decoder/formats.ts';
import type { Operation } from '../decoder/operation.ts';
import type { DecodeOptions } from '../decoder/options.ts';
import { Materialiser } from '../materialise/index.ts';
import { Slicer } from '../slicing/slicer.ts';
import { type PlacedPart, readBlockOf } from './kept.ts';
import { readParts } from './part-stream.ts';
import { parseBlockType } from './type.ts';

/** Opens a block that a service worker has decoded. Resolves to the result. */
export async function openBlock(core: Core, operation: Operation, source: Response, options: DecodeOptions): Promise<unknown> {
  const { report } = operation;
  const parts = partsOf(source, report.as !== 'objects');
  try {
    const entry = blockEntry(source);
    report.format = entry.id;
    report.why = 'decoded by a service worker';
    const materialiser = new Materialiser({ as: report.as, ...lazyReading({ entry, revive: options.revive ?? core.revive }) });
    const progress = { bytes: 0, readMs: 0 };
    operation.measure(() => ({ ...progress, ...materialiser.stats, mainMs: materialiser.stats.materialiseMs }));
    operation.signal.addEventListener('abort', () => {
      materialiser.cancel(operation.signal.reason);
      source.body?.cancel(operation.signal.reason).catch(() => {});
    });
    operation.enter('building');
    const slicer = new Slicer();
    slicer.begin();
    for await (const { buffer, base, length } of parts) {
      operation.check();
      progress.bytes += length;
      materialiser.push(buffer, base);
      if (slicer.due()) await slicer.pause();
    }
    progress.readMs = performance.now() - report.startTime;
    return await materialiser.done();
  } finally {
    // Where they are not all wanted, nothing more is read.
    parts.return().catch(() => {});
  }
}

/** The format that a block was decoded from, as the response says. Throws a TypeError where nobody can open it. */
export function blockEntry(source: Response): FormatEntry {
  const type = parseBlockType(source.headers.get('content-type'));
  const entry = type && formatEntry(type.format);
  if (!type || !entry) throw new TypeError(`unknown kind of block: ${source.headers.get('content-type')}`);
  if (type.version !== VERSION) throw new TypeError(`unsupported block version ${type.version}; expected ${VERSION}: clear the cache`);
  return entry;
}

async function* partsOf(source: Response, whole: boolean): AsyncGenerator<PlacedPart, void> {
  if (parseBlockType(source.headers.get('content-type'))?.form === 'block') yield* readBlockOf(source, whole);
  else for await (const buffer of readParts(source)) yield { buffer, base: 0, length: buffer.byteLength };
}
