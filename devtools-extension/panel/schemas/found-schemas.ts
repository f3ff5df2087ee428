import { signal } from '@preact/signals';
import type { Adapter, Exchange, PageScript } from '../../adapter/adapter.ts';
import { toBase64 } from '../../adapter/bytes.ts';
import type { ReadingClient, SchemaInput } from '../../reading/protocol.ts';
import type { FoundMessage, FoundSchemas as Found } from '../../reading/found/types.ts';
import { nameOf } from '../../text/address.ts';
import { storedSignal } from '../shared/settings.ts';
import { type SchemaFile, schemaInput } from './schema-files.ts';
import { type Direction, typeOfCall } from './schemas.ts';

/** Schemas of Protocol Buffers that were found in the scripts of an origin. */
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
  /** Schemas found on the current page, or earlier on its origin. */
  readonly file = signal<FoundFile | undefined>(undefined);
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
    this.file.value = undefined;
  }

  /** Schema of a request by its path, marked as found. */
  of({ url }: Exchange, direction: Direction): SchemaInput | undefined {
    const found = this.file.value && typeOfCall(url, direction, [this.file.value]);
    return found && { ...inputOf(found.file, found.type), isClaim: true };
  }

  /** Schema of a Protocol Buffers message. */
  ofMessage(message: string): SchemaInput | undefined {
    const file = this.file.value;
    return file?.types.includes(message) ? inputOf(file, message) : undefined;
  }

  async #run(): Promise<void> {
    const { adapter, client } = this.#dependencies;
    const origin = await adapter.pageOrigin?.();
    if (origin === undefined) return;
    this.file.value ??= keptFiles.value.find((file) => file.origin === origin);
    const scripts = (await adapter.scripts?.()) ?? (await this.#listed());
    const key = scripts.map(({ url, text }) => `${url} ${text.length}`).join('\n');
    if (scripts.length === 0 || key === this.#searched) return;
    this.#searched = key;
    this.isSearching.value = true;
    try {
      const found = await client.call('findSchemas', { scripts }, { isBackground: true });
      if (found.messages.length === 0) return;
      const file = fileOf(found, origin);
      this.file.value = file;
      const others = keptFiles.value.filter((other) => other.origin !== origin).slice(1 - MAX_ORIGINS);
      keptFiles.value = JSON.stringify(file).length <= MAX_KEPT ? [...others, file] : others;
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

function inputOf(file: FoundFile, type: string): SchemaInput {
  const where = file.messages.find(({ name }) => name === type)?.where ?? file.origin;
  return { ...schemaInput(file, type, []), name: `${type}, found in ${nameOf(where)}` };
}

function fileOf({ descriptorSet, messages, methods }: Found, origin: string): FoundFile {
  const types = messages.map(({ name }) => name);
  return { name: `found on ${origin}`, format: 'protobuf', base64: toBase64(descriptorSet), methods, origin, types, messages };
}
