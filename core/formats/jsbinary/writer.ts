import { recordsOf } from '../../values/record-list.ts';
import { countOf } from '../../bytes/count.ts';
import { out, pass, room, soft, STOPPED, view } from '../../bytes/output.ts';
import { SchemaError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import { ALL_KNOWN, mayHaveExtraKeys, NOT_COUNTED, refuseExtraKeys } from '../../writing/extra-keys.ts';
import { type FormatWriter, Writer } from '../../writing/writer.ts';
import type { JsBinaryWriteOptions } from './options.ts';
import {
  ARRAY,
  BOOLEAN,
  BUFFER,
  compileJsBinarySchema,
  DATE,
  FLOAT,
  INT,
  JSON_TEXT,
  type JsBinarySchema,
  OBJECT,
  OID,
  REGEX,
  STRING,
  UINT,
} from './schema.ts';
import { planOf, type TypePlan } from './write/plan.ts';
import {
  failType,
  writeBuffer,
  writeCount,
  writeDate,
  writeInt,
  writeJson,
  writeObjectId,
  writeRegex,
  writeString,
  writeUint,
} from './write/values.ts';

export type { JsBinaryWriteOptions } from './options.ts';

/** Where to resume in an object or a list. */
interface Place {
  readonly type: TypePlan;
  readonly next: number;
  readonly count: number;
}

/** Writes js-binary as defined by its format.md (https://github.com/sitegui/js-binary): see `JsBinaryReader`. */
class JsBinaryWriter extends Writer {
  readonly #root: TypePlan;
  readonly #refusesExtra: boolean;

  constructor(options: JsBinaryWriteOptions, limits: Limits, schema: JsBinarySchema) {
    super(options.sequence === true ? { ...limits, depth: limits.depth + 1 } : limits);
    this.#refusesExtra = options.extraKeys !== 'skip';
    const type = planOf(schema);
    this.#root = options.sequence === true ? { kind: SEQUENCE, item: type, fields: [] } : type;
  }

  override write(value: unknown, at: number): number {
    return this.#value(value, this.#root, at);
  }

  protected override resumeIn(container: object, from: unknown, at: number): number {
    const { type, next, count } = from as Place;
    if (type.kind === OBJECT) return this.#fields(container as Record<string, unknown>, type, next, at, NOT_COUNTED);
    return this.#items(container as unknown[], type, next, count, at);
  }

  protected override stepOf(from: unknown): string | number {
    const { type, next } = from as Place;
    return type.kind === OBJECT ? type.fields[next - 1]!.key : next - 1;
  }

  #value(value: unknown, type: TypePlan, at: number): number {
    switch (type.kind) {
      case UINT:
        return writeUint(value, at);
      case INT:
        return writeInt(value, at);
      case FLOAT:
        if (typeof value !== 'number') return failType('a number', value);
        view.setFloat64(at, value);
        return at + 8;
      case STRING:
        return writeString(value, at);
      case BOOLEAN:
        if (typeof value !== 'boolean') return failType('a boolean', value);
        out[at] = value ? 1 : 0;
        return at + 1;
      case OBJECT:
        if (typeof value !== 'object' || value === null) return failType('an object', value);
        this.open();
        return this.#object(value as Record<string, unknown>, type, at > soft ? room(at, 0) : at);
      case ARRAY:
        return this.#array(value, 'an array', type, at);
      case DATE:
        return writeDate(value, at);
      case BUFFER:
        return writeBuffer(value, at);
      case OID:
        return writeObjectId(value, at);
      case REGEX:
        return writeRegex(value, at);
      case JSON_TEXT:
        return writeJson(value, at);
      default:
        return this.#array(value, 'an array of values', type, at);
    }
  }

  /** Writes an array: the number of its items and the items, or only the items for a sequence. */
  #array(value: unknown, what: string, type: TypePlan, at: number): number {
    const list = Array.isArray(value) ? value : recordsOf(value);
    if (list === undefined) return failType(what, value);
    this.open();
    const count = countOf(list);
    return this.#items(list, type, 0, count, type.kind === ARRAY ? writeCount(count, at) : at);
  }

  #items(list: readonly unknown[], type: TypePlan, from: number, count: number, at: number): number {
    const item = type.item!;
    let index = from;
    try {
      for (; index < count; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(list, { type, next: index, count } satisfies Place);
        if ((at = this.#value(list[index], item, at)) === STOPPED) return this.stopped(list, { type, next: index + 1, count } satisfies Place);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== count) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return at;
  }

  /** Writes the fields of an object as long as its keys are in order, which is fastest, and then the others. */
  #object(value: Readonly<Record<string, unknown>>, type: TypePlan, at: number): number {
    const { fields } = type;
    const { length } = fields;
    let index = 0;
    let hasOthers = false;
    try {
      for (const key in value) {
        if (index === length || fields[index]!.key !== key || at > soft) {
          hasOthers = true;
          break;
        }
        const field = fields[index]!;
        const item = value[key];
        index += 1;
        if (field.isOptional) {
          const isThere = item !== undefined && item !== null;
          out[at++] = isThere ? 1 : 0;
          if (!isThere) continue;
        }
        // The most common type, without a further call.
        if (field.type.kind === STRING) at = writeString(item, at);
        else if ((at = this.#value(item, field.type, at)) === STOPPED) return this.stopped(value, { type, next: index, count: 0 } satisfies Place);
      }
    } catch (error) {
      throw this.at(fields[index - 1]?.key, error, value);
    }
    if (index < length || hasOthers) return this.#fields(value, type, index, at, hasOthers ? index : ALL_KNOWN);
    this.depth -= 1;
    return at;
  }

  /** Writes the fields from index `from` on. `seen` counts the keys of the fields before. */
  #fields(value: Readonly<Record<string, unknown>>, type: TypePlan, from: number, at: number, seen: number): number {
    const { fields } = type;
    let index = from;
    let keys = seen;
    try {
      for (; index < fields.length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(value, { type, next: index, count: 0 } satisfies Place);
        const field = fields[index]!;
        const item = value[field.key];
        if (item !== undefined) keys += 1;
        if (field.isOptional) {
          const isThere = item !== undefined && item !== null;
          out[at++] = isThere ? 1 : 0;
          if (!isThere) continue;
        }
        if ((at = this.#value(item, field.type, at)) === STOPPED) return this.stopped(value, { type, next: index + 1, count: 0 } satisfies Place);
      }
    } catch (error) {
      throw this.at(fields[index]!.key, error, value);
    }
    if (this.#refusesExtra && mayHaveExtraKeys(value, keys)) refuseExtraKeys(value, 'the type', fields);
    this.depth -= 1;
    return at;
  }
}

/** A kind in addition to those of types: consecutive values. */
const SEQUENCE = -1;

/** Writes js-binary: see `JsBinaryWriter`. The schema is the type literal that the package's `Type` takes. */
const jsbinaryEncoder: FormatWriter<JsBinaryWriteOptions, JsBinarySchema | undefined> = {
  id: 'jsbinary',
  createWriter(options, limits, schema) {
    if (!schema) throw new SchemaError('js-binary needs a schema: the type literal', undefined, { format: 'jsbinary' });
    return new JsBinaryWriter(options, limits, schema);
  },
  compileSchema: compileJsBinarySchema,
};

export default jsbinaryEncoder;
