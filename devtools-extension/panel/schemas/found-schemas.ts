import { signal } from '@preact/signals';
import type { Adapter, Exchange, PageScript } from '../../adapter/adapter.ts';
import { toBase64 } from '../../adapter/bytes.ts';
import { ABOUT } from '../../../core/formats/registry.ts';
import type { ReadingClient, SchemaInput } from '../../reading/protocol.ts';
import type { FoundMessage, FoundSchemas as Found } from '../../reading/found/types.ts';
import { nameOf } from '../../text/address.ts';
import { storedSignal } from '../shared/settings.ts';
import { type SchemaFile, schemaInput, toJson } from './schema-files.ts';
import { type Direction, typeOfCall } from './schemas.ts';

/** Schemas of a format that were found in the scripts of an origin. */
export interface FoundFile extends SchemaFile {
  origin: string;
  /** Message types, with the script of each. */
  messages: FoundMessage[];
}

/** Limits of what is kept: origins, and characters of each one's schemas. */
const MAX_ORIGINS = 20;
const MAX_KEPT = 1_000_000;

const keptFiles = storedSignal<FoundFile[]>('found-schemas', []);

/** Dependencies of `FoundSchemas`. */
export interface FoundSchemasDependencies {
  adapter: Adapter;
  client: ReadingClient;
  exchanges: () => readonly Exchange[];
}

/** Looks for schemas in the scripts of the inspected page, once a request needs one. Nothing of the page is run, and nothing leaves. */
export class FoundSchemas {
  /** Schemas found on the current page, or earlier on its origin: a file for each format. */
  readonly files = signal<readonly FoundFile[]>([]);
  readonly isSearching = signal(false);
  readonly #dependencies: FoundSchemasDependencies;
  /** Scripts of the last search. */
  #searched = '';
  #search: Promise<void> | undefined;

  constructor(dependencies: FoundSchemasDependencies) {
    this.#dependencies = dependencies;
  }

  /** Searches the scripts, unless they were searched before. Concurrent callers share one search. */
  search(): Promise<void> {
    this.#search ??= this.#run()
      .catch(() => undefined)
      .finally(() => (this.#search = undefined));
    return this.#search;
  }

  /** Called after a navigation. */
  forget(): void {
    this.#searched = '';
    this.files.value = [];
  }

  /** Schema of a request by its path, marked as found. */
  of({ url }: Exchange, direction: Direction): SchemaInput | undefined {
    const found = typeOfCall(url, direction, this.files.value);
    return found && { ...this.#inputOf(found.file, found.type), isClaim: true };
  }

  /** Schema of a Protocol Buffers message. */
  ofMessage(message: string): SchemaInput | undefined {
    const file = this.files.value.find(({ format, types }) => format === 'protobuf' && types.includes(message));
    return file && this.#inputOf(file, message);
  }

  /** Types other than of Protocol Buffers, whose bytes any message fits. No code says that a body is of them. */
  get offered(): { file: FoundFile; type: string; schema: SchemaInput }[] {
    const files = this.files.value.filter(({ format }) => format !== 'protobuf');
    return files.flatMap((file) => file.types.map((type) => ({ file, type, schema: this.#inputOf(file, type) })));
  }

  #inputOf(file: FoundFile, type: string): SchemaInput {
    const where = file.messages.find(({ name }) => name === type)?.where ?? file.origin;
    return { ...schemaInput(file, type, this.files.value), name: `${type}, found in ${nameOf(where)}` };
  }

  async #run(): Promise<void> {
    const { adapter, client } = this.#dependencies;
    const origin = await adapter.pageOrigin?.();
    if (origin === undefined) return;
    if (this.files.value.length === 0) this.files.value = keptFiles.value.filter((file) => file.origin === origin);
    const scripts = (await adapter.scripts?.()) ?? (await this.#listed());
    const key = scripts.map(({ url, text }) => `${url} ${text.length}`).join('\n');
    if (scripts.length === 0 || key === this.#searched) return;
    this.#searched = key;
    this.isSearching.value = true;
    try {
      const files = filesOf(await client.call('findSchemas', { scripts }, { isBackground: true }), origin);
      if (files.length === 0) return;
      this.files.value = files;
      const others = keptFiles.value.filter((file) => file.origin !== origin);
      const origins = [...new Set(others.map((file) => file.origin))].slice(1 - MAX_ORIGINS);
      const kept = JSON.stringify(files).length <= MAX_KEPT ? files : [];
      keptFiles.value = [...others.filter((file) => origins.includes(file.origin)), ...kept];
    } finally {
      this.isSearching.value = false;
    }
  }

  /** Scripts in the request list. */
  async #listed(): Promise<PageScript[]> {
    const scripts = this.#dependencies.exchanges().filter(({ initiator }) => initiator === 'script');
    const bodies = await Promise.all(scripts.map(async (script) => ({ url: script.url, body: await script.responseBody() })));
    return bodies.flatMap(({ url, body }) => ('bytes' in body ? [{ url, text: new TextDecoder().decode(body.bytes) }] : []));
  }
}

/** A file for each format of the types that were found. */
function filesOf({ descriptorSet, messages, methods, others }: Found, origin: string): FoundFile[] {
  const typesOf = (found: readonly FoundMessage[]): Pick<FoundFile, 'types' | 'messages'> => ({
    types: found.map(({ name }) => name),
    messages: found.map(({ name, where, by }) => ({ name, where, by })),
  });
  const files = others.map((other): FoundFile => ({
    name: `${ABOUT[other.format].label} found on ${origin}`,
    format: other.format,
    inputs: Object.fromEntries(other.types.map(({ name, input }) => [name, toJson(input)])),
    methods: other.methods,
    origin,
    ...typesOf(other.types),
  }));
  if (messages.length === 0) return files;
  return [{ name: `found on ${origin}`, format: 'protobuf', base64: toBase64(descriptorSet), methods, origin, ...typesOf(messages) }, ...files];
}
