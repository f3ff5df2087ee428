import type { AnyFormat } from '../../core/format/format.ts';
import { type Schema, Schemas } from '../call/schemas.ts';
import type { ServiceWorkerOptions } from './options.ts';

/** The schemas of a service worker, which cannot load the code of `protobuf` that compiles the schemas of `protojson`. */
export class OwnSchemas extends Schemas {
  readonly #protobuf: Pick<AnyFormat, 'compileSchema'> | undefined;

  constructor({ schemas, formats, encoders }: ServiceWorkerOptions) {
    super(schemas);
    this.#protobuf = (formats.protobuf ?? encoders?.protobuf) as AnyFormat | undefined;
  }

  override compile(schema: Schema, format: Pick<AnyFormat, 'compileSchema'>): Promise<void> {
    return super.compile(schema, (schema.format === 'protojson' && this.#protobuf) || format);
  }
}
