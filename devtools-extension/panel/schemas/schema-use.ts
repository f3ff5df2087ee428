import { signal } from '@preact/signals';
import type { Exchange } from '../../adapter/adapter.ts';
import type { Detection, SchemaInput } from '../../reading/protocol.ts';
import type { FormatId } from '../../../core/format/format-id.ts';
import { formatEntry } from '../../../core/formats/registry.ts';
import { isText } from '../../reading/file-types/signatures.ts';
import { addressOf } from '../../text/address.ts';
import { builtInSchema, declaredMessage } from './built-in-schemas.ts';
import type { FoundSchemas } from './found-schemas.ts';
import type { PageLibrary } from '../page/page-library.ts';
import { candidatesOf, type Direction, matchesPattern, pageSchemaFor, schemaFiles, schemaFor, schemaMappings, schemaOfCall } from './schemas.ts';
import { schemaInput } from './schema-files.ts';
import { storedSignal } from '../shared/settings.ts';

/** Format that the user chose for an address. */
export interface FormatOverride {
  pattern: string;
  format: FormatId;
}

/** Chooses the format and schema of a request: from the user's choices, dropped files, and the page's schemas. */
export class SchemaUse {
  readonly overrides = storedSignal<FormatOverride[]>('formats', []);
  /** Schema from the page that embeds the panel, which takes precedence. */
  readonly given = signal<SchemaInput | undefined>(undefined);
  /** True if the schema list is shown. */
  readonly isOpen = signal(false);
  readonly #library: PageLibrary;
  readonly #exchanges: () => readonly Exchange[];

  /** Schemas in the page's scripts; undefined if they are not looked for. */
  readonly found: FoundSchemas | undefined;

  /** @param exchanges returns all requests of the list */
  constructor(library: PageLibrary, exchanges: () => readonly Exchange[], found?: FoundSchemas) {
    this.found = found;
    this.#library = library;
    this.#exchanges = exchanges;
  }

  /** Format that the user chose for a URL. */
  formatFor(url: string): FormatId | undefined {
    return this.overrides.value.find(({ pattern }) => matchesPattern(pattern, url))?.format;
  }

  /**
   * Schema of a body in the user's files: mapped to its address, of the method that its path names, or of the message that
   * its Content-Type names.
   */
  chosen(exchange: Exchange, direction: Direction): SchemaInput | undefined {
    const { url } = exchange;
    const message = declaredMessage(typeIn(exchange, direction));
    return (
      this.given.value ??
      schemaFor(url, direction) ??
      schemaOfCall(url, direction, schemaFiles.value) ??
      (message === undefined ? undefined : this.ofMessage(message))
    );
  }

  /** Schema of a body that the user did not give: of the library on the page, found in its scripts, or of a public format. */
  known(exchange: Exchange, direction: Direction): SchemaInput | undefined {
    const ofPage = direction === 'response' ? this.ofPage(exchange) : undefined;
    return ofPage ?? this.found?.of(exchange, direction) ?? (direction === 'response' ? builtInSchema(exchange) : undefined);
  }

  /** Schema of a body, wherever it comes from. */
  of(exchange: Exchange, direction: Direction): SchemaInput | undefined {
    return this.chosen(exchange, direction) ?? this.known(exchange, direction);
  }

  /** Schema of a Protocol Buffers message, if a dropped file defines it. */
  ofMessage(message: string): SchemaInput | undefined {
    const file = schemaFiles.value.find(({ format, types }) => format === 'protobuf' && types.includes(message));
    return file && schemaInput(file, message, schemaFiles.value);
  }

  /** Schema of a Protocol Buffers message that the user's files define, or the page's scripts. */
  forMessage(message: string): SchemaInput | undefined {
    return this.ofMessage(message) ?? this.found?.ofMessage(message);
  }

  /** Schema that the library on the page used to decode a response. */
  ofPage(exchange: Exchange): SchemaInput | undefined {
    const state = this.#library.state.value;
    return state && pageSchemaFor(state, exchange, this.#exchanges());
  }

  /** Schemas of the page that may fit a response. */
  candidates(detection: Detection): SchemaInput[] {
    return candidatesOf(this.#library.state.value, detection);
  }

  /** Sets the format of an address; an empty one removes it. */
  setFormat(url: string, format: FormatId | ''): void {
    const pattern = addressOf(url);
    this.forgetFormat(pattern);
    if (format !== '') this.overrides.value = [...this.overrides.value, { pattern, format }];
  }

  forgetFormat(pattern: string): void {
    this.overrides.value = this.overrides.value.filter((override) => override.pattern !== pattern);
  }

  /** Maps an address to types of a schema file: of responses, and of requests. An empty file removes the mapping. */
  map(pattern: string, file: string, type: string | undefined, request?: string): void {
    const others = schemaMappings.value.filter((mapping) => mapping.pattern !== pattern);
    schemaMappings.value = file === '' ? others : [...others, { pattern, file, type, request }];
  }
}

/** Content-Types of files, which no schema describes. */
const FILES = /^(?:image|audio|video|font|text)\//i;

/** True if only a schema may tell what a body holds. */
export function lacksSchema({ format }: Pick<Detection, 'format'>, bytes: Uint8Array, contentType: string): boolean {
  if (format === undefined) return bytes.length > 0 && !FILES.test(contentType) && !isText(bytes);
  return formatEntry(format)?.schema === true || format === 'avro' || format === 'protobuf';
}

/** Content-Type of a body. */
export function typeIn({ contentType, requestHeaders, messageType }: Exchange, direction: Direction): string {
  if (direction === 'response') return contentType;
  return messageType ?? requestHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
}
