import { VERSION } from '../worker/block.ts';
import { type FormatEntry, formatEntry } from '../worker/formats/registry.ts';
import { type BlockType, parseBlockType } from './block-type.ts';
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
    const loading = blockTools(source);
    const [{ entry, tools }, file] = await Promise.all([loading, isWhole(source) ? source.arrayBuffer() : undefined]);
    report.format = entry.id;
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

/** What a response says of its block, and the code that opens it. Rejects with a TypeError where nobody can. */
export async function blockTools(
  source: Response,
): Promise<{ form: BlockType['form']; entry: FormatEntry; tools: FormatTools<typeof import('./build.ts')> }> {
  const type = parseBlockType(source.headers.get('content-type'));
  const entry = type && formatEntry(type.format);
  if (!type || !entry) throw new TypeError(`a block of an unknown kind: ${source.headers.get('content-type')}`);
  if (type.version !== VERSION) throw new TypeError(`a block of version ${type.version}, not ${VERSION}: clear the cache`);
  return { form: type.form, entry, tools: await buildTools.load(entry) };
}

function isWhole(source: Response): boolean {
  return parseBlockType(source.headers.get('content-type'))?.form === 'block';
}
