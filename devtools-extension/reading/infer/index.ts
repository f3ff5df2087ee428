import type { InferredForm } from '../protocol.ts';
import { inferAvro } from './avro.ts';
import { protoOf } from './protobuf.ts';
import { typescriptOf } from './typescript.ts';

/** Description of a value as text. Throws if the form cannot describe it. */
export function inferForm(value: unknown, form: InferredForm): string {
  if (form === 'avsc') return JSON.stringify(inferAvro(value).json, undefined, 2);
  return form === 'proto' ? protoOf(value) : typescriptOf(value);
}
