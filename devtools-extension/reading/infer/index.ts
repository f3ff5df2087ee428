import type { InferredForm } from '../protocol.ts';
import { inferAvro } from './avro.ts';
import { bopOf } from './bebop.ts';
import { protoOf } from './protobuf.ts';
import { jsonSchemaOf, typescriptOf } from './typescript.ts';

/** Description of a value as text. Throws if the form cannot describe it. */
export function inferForm(value: unknown, form: InferredForm): string {
  switch (form) {
    case 'typescript':
      return typescriptOf(value);
    case 'jsonSchema':
      return jsonSchemaOf(value);
    case 'proto':
      return protoOf(value);
    case 'avsc':
      return JSON.stringify(inferAvro(value).json, undefined, 2);
    default:
      return bopOf(value);
  }
}
