import type { FormatId } from '../../../core/format/format-id.ts';
import { formatEntry } from '../../../core/formats/registry.ts';
import type { AnyFormatWriter } from '../../../core/writing/writer.ts';
import type { Limits } from '../../../core/limits.ts';
import type { Schemas } from '../../call/schemas.ts';
import { type MadeWriter, makeWriter } from '../../encoder/make-writer.ts';
import type { RequestForm, RespondWith, ServiceWorkerOptions, WrittenForm } from '../options.ts';
import { codeMissing } from './response-slices.ts';

/** Writers of a service worker. */
export class Writers {
  readonly #options: ServiceWorkerOptions;
  readonly #limits: Limits;
  readonly #schemas: Schemas;

  constructor(options: ServiceWorkerOptions, limits: Limits, schemas: Schemas) {
    this.#options = options;
    this.#limits = limits;
    this.#schemas = schemas;
  }

  /** Throws a TypeError if there is no encoder for the format of requests or responses. */
  check(requests: RequestForm | undefined, respondWith: RespondWith): void {
    if (respondWith !== 'json' && respondWith !== 'block' && respondWith !== 'stream') this.#encoder(writtenForm(respondWith).format);
    if (requests === undefined) return;
    this.#encoder(typeof requests === 'string' ? requests : requests.format);
    if (!this.#options.formats.json) throw new TypeError('requests are read as JSON: add json to formats');
  }

  /** Creates the writer of a format for a request. Rejects with a SchemaError, or a TypeError if there is no encoder. */
  async make({ format: id, options, schema }: WrittenForm, request: Request): Promise<MadeWriter> {
    const encoder = this.#encoder(id);
    const reference = typeof schema === 'function' ? await schema(request) : schema;
    const own = { ...this.#options.encoderOptions?.[id], ...options };
    return await makeWriter(encoder, { id, options: own, schema: reference, schemas: this.#schemas, limits: this.#limits }).catch(
      (error: unknown) => {
        throw codeMissing(error);
      },
    );
  }

  #encoder(id: FormatId): AnyFormatWriter {
    const encoder = this.#options.encoders?.[id];
    if (encoder) return encoder as AnyFormatWriter;
    throw new TypeError(formatEntry(id) ? `${id} cannot be written: add ${id} to encoders` : `unknown format ${String(id)}`);
  }
}

/** Expands the id of a format. */
export function writtenForm(form: FormatId | WrittenForm): WrittenForm {
  return typeof form === 'string' ? { format: form } : form;
}

/** Media type of the written format. */
export function mediaTypeOf({ format, options }: WrittenForm): string {
  return options !== undefined && 'sequence' in options && options.sequence && format === 'json'
    ? 'application/x-ndjson'
    : formatEntry(format)!.mediaTypes[0]!;
}
