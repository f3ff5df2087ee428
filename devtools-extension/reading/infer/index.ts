import type { InferredForm } from '../protocol.ts';
import { avscOf, bopOf, protoOf } from './schema-texts.ts';
import { jsonSchemaOf, typescriptOf } from './typescript.ts';

/** What a value is described by, as text. Throws `Unfit` where the form cannot describe it. */
export async function inferForm(value: unknown, form: InferredForm): Promise<string> {
  switch (form) {
    case 'typescript':
      return typescriptOf(value);
    case 'jsonSchema':
      return jsonSchemaOf(value);
    case 'proto':
      return protoOf(value);
    case 'avsc':
      return avscOf(value);
    default:
      return bopOf(value);
  }
}
