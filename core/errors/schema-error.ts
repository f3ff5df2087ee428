import { brandInstances } from '../instanceof-brand.ts';
import { type ErrorPlace, PlacedError } from './placed-error.ts';

/** A schema is missing, invalid, or does not fit the payload. */
export class SchemaError extends PlacedError {
  override name = 'SchemaError';
  readonly code = 'schema';
  /** The schema's registered name, if it has one. */
  readonly schema: string | undefined;

  constructor(reason: string, schema?: string, place?: ErrorPlace) {
    super(reason, place);
    this.schema = schema;
  }
}

brandInstances('SchemaError', SchemaError);
