import type { AnyFormat } from '../../worker/formats/format.ts';
import type { FormatEntry, FormatId } from '../../worker/formats/registry.ts';

/** A format, and code that works with it. */
export interface FormatTools<Code> {
  format: AnyFormat;
  code: Code;
}

/** Code that is loaded, with a format's, when it is first needed, and is then at hand without waiting. */
class LazyTools<Code> {
  readonly #load: () => Promise<Code>;
  readonly #ready = new Map<FormatId, FormatTools<Code>>();
  readonly #loading = new Map<FormatId, Promise<FormatTools<Code>>>();

  constructor(load: () => Promise<Code>) {
    this.#load = load;
  }

  /** What was loaded for a format. */
  get(id: FormatId): FormatTools<Code> | undefined {
    return this.#ready.get(id);
  }

  /** Loads it. Whoever asks first gets it first. */
  load(entry: FormatEntry): Promise<FormatTools<Code>> {
    let loading = this.#loading.get(entry.id);
    if (!loading) {
      loading = this.#loadNow(entry).finally(() => this.#loading.delete(entry.id));
      this.#loading.set(entry.id, loading);
    }
    return loading;
  }

  async #loadNow(entry: FormatEntry): Promise<FormatTools<Code>> {
    const [{ default: format }, code] = await Promise.all([entry.load(), this.#load()]);
    const tools = { format, code };
    this.#ready.set(entry.id, tools);
    return tools;
  }
}

/** What decodes in place. */
export const inlineTools: LazyTools<typeof import('./inline-decode.ts')> = new LazyTools(() => import('./inline-decode.ts'));
/** What builds results from the parts of a block. */
export const buildTools: LazyTools<typeof import('./build.ts')> = new LazyTools(() => import('./build.ts'));
