import { signal } from '@preact/signals';
import type { Exchange } from '../../adapter/adapter.ts';
import type { Detection, SchemaInput } from '../../reading/protocol.ts';
import type { FormatId } from '../../../core/formats/registry.ts';
import { addressOf } from '../../text/address.ts';
import { declaredMessage } from './built-in-schemas.ts';
import type { PageLibrary } from '../page/page-library.ts';
import { candidatesOf, matchesPattern, pageSchemaFor, schemaFiles, schemaFor, schemaMappings } from './schemas.ts';
import { schemaInput } from './schema-files.ts';
import { keptSignal } from '../shared/settings.ts';

/** A format that the user has chosen for a URL. */
export interface FormatOverride {
  pattern: string;
  format: FormatId;
}

/** Which format and schema a request is read with: what the user chose, what was dropped, and what the page registered. */
export class SchemaUse {
  readonly overrides = keptSignal<FormatOverride[]>('formats', []);
  /** Whether the list of schemas is shown. */
  readonly isOpen = signal(false);
  readonly #library: PageLibrary;
  readonly #exchanges: () => readonly Exchange[];

  /** @param exchanges gives all requests of the list */
  constructor(library: PageLibrary, exchanges: () => readonly Exchange[]) {
    this.#library = library;
    this.#exchanges = exchanges;
  }

  /** The format that the user has chosen for a URL. */
  formatFor(url: string): FormatId | undefined {
    return this.overrides.value.find(({ pattern }) => matchesPattern(pattern, url))?.format;
  }

  /** The schema that was dropped for a URL. */
  droppedFor(url: string): SchemaInput | undefined {
    return schemaFor(url);
  }

  /** The schema of the message that a Content-Type names, where a file that was dropped defines it. */
  declaredBy(contentType: string): SchemaInput | undefined {
    const message = declaredMessage(contentType);
    return message === undefined ? undefined : this.ofMessage(message);
  }

  /** The schema of a message of Protocol Buffers, where a file that was dropped defines it. */
  ofMessage(message: string): SchemaInput | undefined {
    const file = schemaFiles.value.find(({ format, types }) => format === 'protobuf' && types.includes(message));
    return file && schemaInput(file, message, schemaFiles.value);
  }

  /** The schema with which the library on the page has decoded a response. */
  ofPage(exchange: Exchange): SchemaInput | undefined {
    const state = this.#library.state.value;
    return state && pageSchemaFor(state, exchange, this.#exchanges());
  }

  /** Schemas of the page that a response may be read with. */
  candidates(detection: Detection): SchemaInput[] {
    return candidatesOf(this.#library.state.value, detection);
  }

  /** Keeps a format for an address; an empty one forgets it. */
  setFormat(url: string, format: FormatId | ''): void {
    const pattern = addressOf(url);
    this.forgetFormat(pattern);
    if (format !== '') this.overrides.value = [...this.overrides.value, { pattern, format }];
  }

  forgetFormat(pattern: string): void {
    this.overrides.value = this.overrides.value.filter((override) => override.pattern !== pattern);
  }

  /** Keeps which type of a schema file addresses are read with; an empty file forgets it. */
  map(pattern: string, file: string, type: string): void {
    const others = schemaMappings.value.filter((mapping) => mapping.pattern !== pattern);
    schemaMappings.value = file === '' ? others : [...others, { pattern, file, type }];
  }
}
