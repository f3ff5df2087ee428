import { SchemaError } from '../worker/errors.ts';
import { formatEntry } from '../worker/formats/registry.ts';
import { type BlockType, parseBlockType } from './block-type.ts';
import type { Core } from './core.ts';
import { urlOf } from './detect.ts';
import type { DecodeReport } from './observe.ts';
import type { Operation } from './operation.ts';
import type { DecodeOptions } from './options.ts';
import { readParts } from './part-stream.ts';
import { buildTools } from './tools.ts';

/** Opens a block that a service worker has decoded, and settles the operation. */
export async function openBlock(
  core: Core,
  operation: Operation,
  source: Response,
  options: DecodeOptions,
  report: DecodeReport,
): Promise<void> {
  try {
    const { form, format } = parseBlockType(source.headers.get('content-type')) as BlockType;
    report.url = urlOf(source);
    report.label ??= report.url;
    const entry = formatEntry(format);
    if (!entry) throw new SchemaError(`a block of an unknown format: ${format}`);
    report.format = entry.id;
    const loading = buildTools.load(entry);
    loading.catch(() => {});
    const file = form === 'block' ? await source.arrayBuffer() : undefined;
    const tools = await loading;
    report.readMs = performance.now() - report.startTime;
    if (operation.settled) return;
    const revive = tools.code.fullRevive(tools.format, options.revive ?? core.options.revive);
    const materialiser = new tools.code.Materialiser({ as: report.as, codegen: core.options.codegen === true, revive });
    operation.stop = (reason) => {
      materialiser.cancel(reason);
      if (!source.bodyUsed) void source.body?.cancel(reason);
    };
    if (file) {
      report.bytes = file.byteLength;
      materialiser.open(file);
    } else {
      for await (const part of readParts(source.body!)) {
        if (operation.settled) return;
        report.bytes += part.byteLength;
        materialiser.push(part);
      }
    }
    const value = await materialiser.done();
    Object.assign(report, materialiser.stats);
    operation.resolve(value);
  } catch (error) {
    operation.reject(error);
  }
}
