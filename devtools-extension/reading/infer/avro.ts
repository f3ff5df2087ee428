import { compileAvroSchema } from '../../../core/formats/avro/compile-schema.ts';
import { avroSchemaOf } from '../../../core/formats/avro/schema/infer.ts';
import type { AvroSchemaJson } from '../../../core/formats/avro/options.ts';
import type { AvroSchema } from '../../../core/formats/avro/schema/schema.ts';
import { identifier } from '../../../core/format/schema-names.ts';
import { isRecord } from './shape.ts';

/** Number of keys above which an object is a map with data as keys, which are not renamed. */
const MAX_RENAMED = 2_000;

/** Infers a schema for a value. Keys that are not valid Avro names are renamed. */
export function inferAvro(value: unknown): { schema: AvroSchema; json: AvroSchemaJson; value: unknown; note?: string } {
  const names = new Names();
  const renamed = names.rename(value);
  const json = avroSchemaOf(renamed);
  const schema = compileAvroSchema(json);
  if (names.renamed === 0) return { schema, json, value };
  const keys = names.renamed === 1 ? '1 key' : `${names.renamed} keys`;
  return { schema, json, value: renamed, note: `${keys} renamed, because Avro names consist of letters, digits and underscores` };
}

/** Valid names for keys (https://avro.apache.org/docs/1.12.0/specification/#names), consistent per key. */
class Names {
  renamed = 0;
  readonly #names = new Map<string, string>();
  readonly #taken = new Set<string>();

  rename(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.rename(item));
    if (!isRecord(value)) return value;
    const entries = Object.entries(value);
    const keeps = entries.length > MAX_RENAMED;
    return Object.fromEntries(entries.map(([key, item]) => [keeps ? key : this.#nameOf(key), this.rename(item)]));
  }

  #nameOf(key: string): string {
    let name = this.#names.get(key);
    if (name !== undefined) return name;
    this.#names.set(key, (name = identifier(key, this.#taken)));
    if (name !== key) this.renamed += 1;
    return name;
  }
}
