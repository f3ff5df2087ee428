import type { Exchange } from '../../adapter/adapter.ts';
import type { Signal } from '@preact/signals';
import type { ReadingClient } from '../../reading/protocol.ts';
import { readHar } from './har.ts';
import type { Requests } from '../requests/requests.ts';
import { isDoubtful, type SchemaFile, schemaFileOf } from '../schemas/schema-files.ts';
import type { SchemaUse } from '../schemas/schema-use.ts';
import { keepSchema } from '../schemas/schemas.ts';
import type { Selection } from '../selection/selection.ts';

/** Dependencies of `PanelFiles`. */
export interface PanelFilesDependencies {
  client: ReadingClient;
  requests: Requests;
  selection: Selection;
  schemas: SchemaUse;
  notice: Signal<string>;
}

/** Opens dropped and chosen files. */
export class PanelFiles {
  readonly #dependencies: PanelFilesDependencies;
  #nextId = -1;

  constructor(dependencies: PanelFilesDependencies) {
    this.#dependencies = dependencies;
  }

  /** Stores schemas, and opens all other files like responses. */
  async open(files: readonly File[]): Promise<void> {
    const { requests, selection, notice } = this.#dependencies;
    for (const file of files) {
      const bytes = new Uint8Array(await file.arrayBuffer());
      if (/\.har$/i.test(file.name) && this.#openHar(file.name, bytes)) continue;
      const schema = schemaFileOf(file.name, bytes);
      if (schema && (await this.#takeSchema(schema, bytes))) continue;
      const id = this.#nextId--;
      requests.add(fileExchange(file, bytes, id));
      requests.flush();
      notice.value = '';
      await selection.select(id);
    }
  }

  /** Adds the requests of a HAR log. Returns false if the file is not one. */
  #openHar(name: string, bytes: Uint8Array): boolean {
    const { requests, notice } = this.#dependencies;
    const exchanges = readHar(new TextDecoder().decode(bytes), () => this.#nextId--);
    if (!exchanges) return false;
    for (const exchange of exchanges) requests.add(exchange);
    requests.flush();
    notice.value = `Added ${exchanges.length} requests from ${name}.`;
    return true;
  }

  /** Stores a schema. Returns false if the file turns out not to be one. */
  async #takeSchema(schema: SchemaFile, bytes: Uint8Array): Promise<boolean> {
    const { client, schemas, selection, notice } = this.#dependencies;
    try {
      if (schema.base64 !== undefined)
        schema.types = await client.call('schemaTypes', { format: schema.format, bytes, isDoubtful: isDoubtful(schema.name) });
    } catch (error) {
      if (isDoubtful(schema.name)) return false;
      notice.value = `${schema.name} is not a valid schema: ${(error as Error).message}.`;
      return true;
    }
    keepSchema(schema);
    schemas.isOpen.value = true;
    notice.value = `Added ${schema.name} to the schemas.`;
    await selection.reopenForSchema();
    return true;
  }
}

/** Wraps a file as an exchange, so that it opens like a response. */
export function fileExchange(file: Pick<File, 'name' | 'type'>, bytes: Uint8Array, id: number): Exchange {
  return {
    id,
    method: 'FILE',
    url: `file:///${file.name}`,
    status: 0,
    statusText: '',
    contentType: file.type,
    initiator: 'file',
    time: Date.now(),
    duration: 0,
    encodedSize: bytes.length,
    transferred: bytes.length,
    fromServiceWorker: false,
    requestHeaders: [],
    responseHeaders: [],
    responseBody: () => Promise.resolve({ bytes }),
  };
}
