import { SchemaError } from '../../core/errors.ts';
import type { AnyFormat, LoadSchemaCode } from '../../core/format/format.ts';
import type { FormatId } from '../../core/format/format-id.ts';
import { type FormatEntry, formatEntry } from '../../core/formats/registry.ts';
import type { SchemaDefinition, SchemaReference, SchemaScope } from './options/options.ts';

/** A schema of a decoder. */
export interface Schema {
  readonly id: number;
  /** The name it is registered by. */
  readonly name: string | undefined;
  readonly format: FormatId;
  /** The schema as given. */
  readonly source: unknown;
  /** Result of the format's `compileSchema`. */
  compiled?: unknown;
  /** While it is compiled. */
  compiling?: Promise<unknown> | undefined;
  /** The responses that it is for, if the call names none. */
  readonly scope?: SchemaScope | undefined;
}

/** The schemas of a decoder. Each is compiled once, on first use. */
export class Schemas {
  readonly #named = new Map<string, Schema>();
  /** Schemas given in calls, by format. */
  readonly #given = new WeakMap<object, Map<FormatId, Schema>>();
  readonly #load: LoadSchemaCode | undefined;
  #ids = 0;

  /** `load` loads the parsers of texts; without it, formats load those next to their own files. */
  constructor(definitions: Readonly<Record<string, SchemaScope & { format: FormatId; schema: unknown }>> = {}, load?: LoadSchemaCode) {
    this.#load = load;
    for (const [name, scope] of Object.entries(definitions)) {
      this.#named.set(name, { id: this.#ids++, name, format: scope.format, source: scope.schema, scope });
    }
  }

  get all(): readonly Schema[] {
    return [...this.#named.values()];
  }

  /** The format of a named schema, or of one that has its format; undefined for other references. */
  formatOf(reference: SchemaReference | undefined): FormatId | undefined {
    if (typeof reference === 'string') return this.#named.get(reference)?.format;
    const format = (reference as Partial<Schema> | undefined)?.format;
    // A js-binary type may have a field `format`; its type may be named `json`, but not like any other format.
    return format && format !== 'json' && formatEntry(format) ? format : undefined;
  }

  /** The schema that a call names or gives; undefined if it does neither. Throws a SchemaError if the schema does not fit. */
  resolve(reference: SchemaReference | undefined, { id: format, schema: needed }: FormatEntry): Schema | undefined {
    if (reference === undefined) {
      if (needed === true) throw new SchemaError('a schema is required: set the option schema', undefined, { format });
      return undefined;
    }
    if (typeof reference === 'string') {
      const schema = this.byName(reference, format);
      assertFits(schema.format, format, reference);
      return schema;
    }
    const own = this.formatOf(reference);
    if (own) assertFits(own, format);
    let byFormat = this.#given.get(reference);
    if (!byFormat) this.#given.set(reference, (byFormat = new Map()));
    let schema = byFormat.get(format);
    if (!schema)
      byFormat.set(format, (schema = { id: this.#ids++, name: undefined, format, source: own ? (reference as SchemaDefinition).schema : reference }));
    return schema;
  }

  /** The schema of a name. Throws a SchemaError for an unknown name; `format` is for the error. */
  byName(name: string, format?: FormatId): Schema {
    const schema = this.#named.get(name);
    if (schema) return schema;
    const names = [...this.#named.keys()].join(', ') || 'none';
    throw new SchemaError(`the schema ${name.slice(0, 60)} is not registered; known: ${names}`, name, format && { format });
  }

  /** @internal Compiles a schema, unless it is compiled. */
  async compile(schema: Schema, format: Pick<AnyFormat, 'compileSchema'>): Promise<void> {
    if ('compiled' in schema) return;
    if (schema.compiling) {
      // After a failure, each call has an error of its own.
      await schema.compiling.catch(() => {});
      return this.compile(schema, format);
    }
    if (!format.compileSchema) throw new SchemaError('this format takes no schema', schema.name, { format: schema.format });
    schema.compiling = (async () => await format.compileSchema!(schema.source, schema.name, this.#load))();
    try {
      schema.compiled = await schema.compiling;
    } finally {
      schema.compiling = undefined;
    }
  }
}

/** True if a schema for one format is one for another as well: a message may be in JSON or in bytes. */
function fits(own: FormatId, format: FormatId): boolean {
  return own === format || (own.startsWith('proto') && format.startsWith('proto'));
}

function assertFits(own: FormatId, format: FormatId, name?: string): void {
  if (!fits(own, format)) throw new SchemaError(`the schema is for ${own}, not ${format}`, name, { format });
}
