import { VERSION } from '../../worker/block.ts';
import { type FormatEntry, formatEntry } from '../../worker/formats/registry.ts';
import type { Revive } from '../../worker/revive.ts';
import { parseBlockType } from './type.ts';
import type { Core } from '../decoder/core.ts';
import { type PlacedPart, readBlockOf } from './kept.ts';
import { Materialiser } from '../materialise/index.ts';
import { Slicer } from '../slicing/slicer.ts';
import type { DecodeReport } from '../decoder/observe.ts';
import type { Operation } from '../decoder/operation.ts';
import type { DecodeOptions } from '../decoder/options.ts';
import { buildTools } from '../decoder/tools.ts';

/** Opens a block that a service worker has decoded, and settles the operation. */
export async function openBlock(
  core: Core,
  operation: Operation,
  source: Response,
  options: DecodeOptions,
  report: DecodeReport,
): Promise<void> {
  const parts = partsOf(source, report.as !== 'objects');
  try {
    // Bytes are read while the code loads that opens them.
    const first = parts.next();
    first.catch(() => {});
    const entry = blockEntry(source);
    report.format = entry.id;
    let full: Revive | undefined;
    const learn = async (): Promise<void> => {
      const { code, format } = await buildTools.load(entry);
      full = code.fullRevive(format, options.revive ?? core.options.revive);
    };
    // Objects are built as the parts come.
    if (report.as === 'objects') await learn();
    if (operation.settled) return;
    const revive: Revive = (tag, inner) => full!(tag, inner);
    const materialiser = new Materialiser({ as: report.as, revive });
    operation.stop = (reason) => {
      materialiser.cancel(reason);
      source.body?.cancel(reason).catch(() => {});
    };
    const slicer = new Slicer();
    slicer.begin();
    for (let next = await first; !next.done; next = await parts.next()) {
      if (operation.settled) return;
      const { buffer, base, length } = next.value;
      report.bytes += length;
      materialiser.push(buffer, base);
      if (slicer.due()) await slicer.pause();
    }
    report.readMs = performance.now() - report.startTime;
    if (!full && materialiser.tagged) await learn();
    if (operation.settled) return;
    const value = await materialiser.done();
    Object.assign(report, materialiser.stats);
    operation.resolve(value);
  } catch (error) {
    operation.reject(error);
  } finally {
    // Where they are not all wanted, nothing more is read.
    parts.return().catch(() => {});
  }
}

/** The format that a block was decoded from, as the response says. Throws a TypeError where nobody can open it. */
export function blockEntry(source: Response): FormatEntry {
  const type = parseBlockType(source.headers.get('content-type'));
  const entry = type && formatEntry(type.format);
  if (!type || !entry) throw new TypeError(`a block of an unknown kind: ${source.headers.get('content-type')}`);
  if (type.version !== VERSION) throw new TypeError(`a block of version ${type.version}, not ${VERSION}: clear the cache`);
  return entry;
}

async function* partsOf(source: Response, whole: boolean): AsyncGenerator<PlacedPart, void> {
  const isBlock = parseBlockType(source.headers.get('content-type'))?.form === 'block';
  if (isBlock) yield* readBlockOf(source, whole);
  else {
    const { readParts } = await import('./parts.ts');
    for await (const buffer of readParts(source.body!)) yield { buffer, base: 0, length: buffer.byteLength };
  }
}
