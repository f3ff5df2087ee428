import type { AnyFormat } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { codeOfFile } from '../pool/code-requests.ts';
import type { Workers } from '../pool/workers.ts';
import type { DecoderState } from './decoder-state.ts';
import type { NamedFormats } from './named-formats.ts';
import type { Operation } from './operation.ts';
import type { Prepared } from './prepare.ts';

/** The parts of a format that this thread needs for decoding. */
export interface LoadedFormat {
  readonly format: AnyFormat;
  readonly readers: Readers;
}

type Readers = typeof import('../slices/readers.ts');

/** A format's module. Some built files include the readers. */
interface FormatModule {
  readonly default: AnyFormat;
  readonly readers?: Readers;
}

/** The formats whose code this thread can load. */
const sources: { [Id in FormatId]?: NamedFormats[Id] } = {};

/** Lets this thread load the code of formats. */
export function addFormats(formats: NamedFormats): void {
  Object.assign(sources, formats);
}

/** The formats whose code this thread has, and those whose code is loading. */
const loaded = new Map<FormatId, AnyFormat>();
const loading = new Map<FormatId, Promise<LoadedFormat>>();
let readers: Readers | undefined;

/** The code of a format; undefined unless all of it is loaded. */
export function loadedFormat(id: FormatId): LoadedFormat | undefined {
  const format = loaded.get(id);
  return format && readers && { format, readers };
}

/** Loads the code of a format for this thread. Concurrent callers share one load; after a failure, the next call tries again. */
export function loadFormat(id: FormatId): Promise<LoadedFormat> {
  const ready = loadedFormat(id);
  if (ready) return Promise.resolve(ready);
  let promise = loading.get(id);
  if (!promise) {
    promise = load(id).finally(() => loading.delete(id));
    loading.set(id, promise);
  }
  return promise;
}

/** Loads the code of a payload's format and compiles its schema. */
export async function readyFormat(core: DecoderState, operation: Operation, { entry, schema }: Prepared): Promise<LoadedFormat> {
  const begun = performance.now();
  const loaded = await loadFormat(entry.id);
  if (schema) await core.schemas.compile(schema, loaded.format);
  const queueMs = performance.now() - begun;
  operation.measure(() => ({ queueMs }));
  operation.check();
  return loaded;
}

/** Formats whose built files contain the readers. */
const WITH_READERS: readonly FormatId[] = ['json', 'messagepack'];

async function load(id: FormatId): Promise<LoadedFormat> {
  const loadReaders = (): Promise<Readers> => import('../slices/readers.ts');
  const loadingReaders = readers || WITH_READERS.includes(id) ? undefined : loadReaders();
  loadingReaders?.catch(() => {});
  const known = loaded.get(id);
  const module: FormatModule = known ? { default: known } : await moduleOf(id);
  readers ??= module.readers ?? (await (loadingReaders ?? loadReaders()));
  loaded.set(id, module.default);
  return { format: module.default, readers };
}

async function moduleOf(id: FormatId): Promise<FormatModule> {
  const source = sources[id];
  if (!source) throw new TypeError(`the code of ${id} is not there: name it in the option formats of createDecoder`);
  return typeof source === 'function' ? await source() : { default: source };
}

/** Loads the code of a format that a worker of the pool needs as well, from the same file if possible. */
export async function loadWorkersFormat(id: FormatId, pool: Workers): Promise<AnyFormat> {
  if (loaded.has(id)) return loaded.get(id)!;
  pool.warm([id]).catch(() => {});
  const code = await codeOfFile(id);
  if (!code) return (await loadFormat(id)).format;
  loaded.set(id, code.default);
  return code.default;
}
