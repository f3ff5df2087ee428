import { SchemaError } from '../../../errors.ts';
import type { AvroOptions } from '../options.ts';
import { ProgramBuilder, type Instruction, withField } from './program.ts';
import { constantOf } from '../schema/defaults.ts';
import { chooseBranch, matches, matchFields } from '../schema/matching.ts';
import * as op from './plan.ts';
import {
  ARRAY,
  type AvroType,
  type AvroTypes,
  BOOLEAN,
  BYTES,
  DATE,
  DECIMAL,
  DOUBLE,
  DURATION,
  ENUM,
  findEmptyTypes,
  FIXED,
  FLOAT,
  INT,
  KINDS,
  LONG,
  MAP,
  MICROS,
  MILLIS,
  NANOS,
  NULL,
  RECORD,
  Steps,
  STRING,
  UNION,
  UUID,
} from '../schema/schema.ts';
import { Target } from '../schema/target.ts';

/**
 * A record still to be compiled or, with `list`, the items of an array of such records. `mayFail`: reached only by
 * data of one branch of a union.
 */
interface Pending {
  record: number;
  list: number;
  w: number;
  r: number;
  mayFail: boolean;
}

/** Compiles a writer's schema and, for schema resolution, a reader's. */
export function compilePlan(writerSchema: AvroTypes, readerSchema: AvroTypes | undefined, options: AvroOptions): op.Plan {
  return new Compiler(writerSchema, readerSchema ?? writerSchema, options).plan();
}

/** Compiles types to instructions: one compilation for each pair of a writer's and a reader's type. */
class Compiler {
  readonly #assembler = new ProgramBuilder();
  readonly #readerSchema: AvroTypes;
  readonly #target: Target;
  readonly #writerSchema: AvroTypes;
  readonly #empty: Uint8Array;
  readonly #records = new Map<string, number>();
  readonly #enums = new Map<string, Instruction>();
  readonly #recordLists = new Map<string, number>();
  readonly #skipped = new Map<number, number>();
  readonly #pending: Pending[] = [];
  readonly #toSkip: { record: number; w: number }[] = [];
  #mayFail = false;

  constructor(writerSchema: AvroTypes, readerSchema: AvroTypes, options: AvroOptions) {
    this.#writerSchema = writerSchema;
    this.#readerSchema = readerSchema;
    this.#target = new Target(this.#assembler, readerSchema, options, new Steps(writerSchema, readerSchema));
    this.#empty = findEmptyTypes(writerSchema);
  }

  plan(): op.Plan {
    const assembler = this.#assembler;
    const root = this.#value(this.#writerSchema.root, this.#readerSchema.root);
    const start = assembler.emit([[op.ROOT, -1, assembler.position + op.WORDS, 0], root, [op.ROOT, -1, assembler.position + op.WORDS, 0]]);
    for (let next = this.#pending.pop(); next; next = this.#pending.pop()) this.#body(next);
    for (let next = this.#toSkip.pop(); next; next = this.#toSkip.pop()) this.#skipBody(next.record, next.w);
    return assembler.finish(start, assembler.recordOf(root), this.#empty[this.#writerSchema.root] === 1);
  }

  /** The instruction that reads the writer's type `w` as the reader's type `r`. */
  #value(w: number, r: number): Instruction {
    const from = this.#writerSchema.types[w]!;
    const to = this.#readerSchema.types[r]!;
    if (from.kind === UNION) return this.#union(w, r);
    if (to.kind === UNION) {
      this.#target.steps.take(to.branches.length);
      const branch = chooseBranch(this.#writerSchema, w, this.#readerSchema, to.branches);
      if (branch < 0) throw mismatch(from, to);
      return this.#target.wrap(r, branch, this.#value(w, branch));
    }
    if (!matches(this.#writerSchema, w, this.#readerSchema, r)) throw mismatch(from, to);
    switch (from.kind) {
      case NULL:
        return [op.NULL, -1, 0, 0];
      case BOOLEAN:
        return [op.BOOLEAN, -1, 0, 0];
      case INT:
      case LONG:
        return this.#integer(to, from.kind);
      case FLOAT:
        return [op.FLOAT, -1, 0, 0];
      case DOUBLE:
        return [op.DOUBLE, -1, 0, 0];
      case BYTES:
      case STRING:
        if (to.kind === STRING) return [op.STRING, -1, 0, 0];
        return this.#target.logical(to) === DECIMAL ? [op.AS_DECIMAL, -1, to.scale, -1] : [op.BYTES, -1, 0, 0];
      case FIXED:
        return this.#fixed(to);
      case ENUM:
        return this.#enum(w, r);
      case ARRAY:
      case MAP:
        return this.#list(from, to);
      default:
        return [op.RECORD, -1, this.#record(w, r), 0];
    }
  }

  #integer(to: AvroType, from: number): Instruction {
    if (to.kind === FLOAT || to.kind === DOUBLE) return [op.AS_FLOAT, -1, to.kind === FLOAT ? 1 : 0, 0];
    const logical = this.#target.logical(to);
    if (logical === DATE) return [op.AS_DATE, -1, 0, 0];
    if (logical === MILLIS || logical === MICROS || logical === NANOS) return [op.AS_INSTANT, -1, logical, 0];
    return [from === INT && to.kind === INT ? op.INT : op.LONG, -1, 0, 0];
  }

  #fixed(to: AvroType): Instruction {
    switch (this.#target.logical(to)) {
      case DECIMAL:
        return [op.AS_DECIMAL, -1, to.scale, to.size];
      case DURATION:
        return [op.AS_DURATION, -1, this.#target.durationRecord(), 0];
      case UUID:
        return [op.AS_UUID, -1, 0, 0];
      default:
        return [op.FIXED, -1, to.size, 0];
    }
  }

  /** Fields with the same enum share its symbols. */
  #enum(w: number, r: number): Instruction {
    const key = `${w}:${r}`;
    let instruction = this.#enums.get(key);
    if (instruction === undefined) this.#enums.set(key, (instruction = this.#symbols(this.#writerSchema.types[w]!, this.#readerSchema.types[r]!)));
    return instruction;
  }

  #symbols(from: AvroType, to: AvroType): Instruction {
    const assembler = this.#assembler;
    const known = new Set(to.symbols);
    let fails = false;
    const entries = from.symbols.map((symbol) => {
      if (known.has(symbol)) return assembler.symbol(symbol);
      if (to.default !== undefined) return assembler.symbol(to.default);
      fails = true;
      return -1 - assembler.message(`the symbol ${symbol} is not in the reader's enum ${to.name}`);
    });
    return [fails ? op.ENUM_OR_FAIL : op.ENUM, -1, assembler.table(entries), entries.length];
  }

  /** A writer's union. A branch that the reader cannot read is an error only if data use it. */
  #union(w: number, r: number): Instruction {
    const assembler = this.#assembler;
    const { branches } = this.#writerSchema.types[w]!;
    const isSame = this.#writerSchema === this.#readerSchema && w === r;
    const before = this.#mayFail;
    this.#mayFail = branches.length > 1 || before;
    const entries = branches.map((branch) => {
      let instruction: Instruction;
      try {
        instruction = isSame ? this.#target.wrap(r, branch, this.#value(branch, branch)) : this.#value(branch, r);
      } catch (error) {
        if (!(error instanceof SchemaError) || !this.#mayFail) throw error;
        instruction = [op.FAIL, -1, assembler.message(error.reason), 0];
      }
      return assembler.emit([instruction]);
    });
    this.#mayFail = before;
    if (branches.length > 0 && entries.every((at) => assembler.operation(at) === op.FAIL)) {
      throw new SchemaError(assembler.messageOf(entries[0]!));
    }
    return [op.UNION, -1, assembler.table(entries), entries.length];
  }

  #list(from: AvroType, to: AvroType): Instruction {
    const item = this.#value(from.items, to.items);
    if (from.kind === MAP) return [op.MAP, -1, this.#items([[op.KEY, -1, 0, 0], item], op.MAP_BLOCK, 0), 0];
    const [w, r] = [from.items, to.items];
    if (this.#writerSchema.types[w]!.kind !== RECORD || this.#readerSchema.types[r]!.kind !== RECORD) {
      const kind = op.ARRAY_BLOCK | ((this.#assembler.recordOf(item) + 1) << op.ITEM_RECORD);
      return [op.ARRAY, -1, this.#items([item], kind, this.#empty[w]!), 0];
    }
    const key = `${w}:${r}`;
    let list = this.#recordLists.get(key);
    if (list === undefined) {
      list = this.#assembler.record([], 0);
      this.#recordLists.set(key, list);
      this.#pending.push({ record: item[2], list, w, r, mayFail: this.#mayFail });
    }
    return [op.ARRAY, -1, list, 0];
  }

  /** Emits the blocks of items. Returns the position of their instructions in the bodies. */
  #items(item: Instruction[], kind: number, empty: number): number {
    const assembler = this.#assembler;
    const body = assembler.record([], 0);
    const at = assembler.position;
    assembler.setBody(body, assembler.emit([[op.BLOCK, -1, kind, empty], ...item, [op.NEXT, -1, at + op.WORDS, at]]));
    return body;
  }

  #record(w: number, r: number): number {
    const key = `${w}:${r}`;
    let record = this.#records.get(key);
    if (record === undefined) {
      const { fields } = this.#readerSchema.types[r]!;
      record = this.#assembler.record(
        fields.map(({ name }) => name),
        fields.length,
      );
      this.#records.set(key, record);
      this.#pending.push({ record, list: -1, w, r, mayFail: this.#mayFail });
    }
    return record;
  }

  #body({ record, list, w, r, mayFail }: Pending): void {
    this.#mayFail = mayFail;
    const assembler = this.#assembler;
    let fields: Instruction[];
    try {
      fields = this.#fields(this.#writerSchema.types[w]!, this.#readerSchema.types[r]!);
    } catch (error) {
      if (!(error instanceof SchemaError) || !mayFail) throw error;
      fields = [[op.FAIL, -1, assembler.message(error.reason), 0]];
    }
    if (list < 0) {
      assembler.body(record, [...fields, [op.END_RECORD, -1, 0, 0]]);
      return;
    }
    const empty = this.#empty[w]!;
    const at = assembler.position;
    const more = at + op.WORDS;
    assembler.emit([
      [op.BLOCK, -1, op.ARRAY_BLOCK | op.FIRST_OF_RECORDS | ((record + 1) << op.ITEM_RECORD), empty],
      [op.BLOCK, -1, op.ARRAY_BLOCK | op.MORE_RECORDS, empty],
      [op.ITEM, -1, record, 0],
      ...fields,
      [op.END_ITEM, -1, more + op.WORDS, more],
    ]);
    assembler.setBody(list, at);
  }

  #fields(from: AvroType, to: AvroType): Instruction[] {
    this.#target.steps.take(from.fields.length + to.fields.length);
    const targets = matchFields(from, to);
    const body: Instruction[] = [];
    from.fields.forEach(({ name, type }, place) => {
      const target = targets[place]!;
      if (target < 0) {
        if (this.#empty[type] === 0) body.push(this.#skip(type));
        return;
      }
      try {
        body.push(withField(this.#value(type, to.fields[target]!.type), target));
      } catch (error) {
        throw error instanceof SchemaError ? new SchemaError(`${from.name}.${name}: ${error.reason}`) : error;
      }
    });
    const given = new Set(targets);
    to.fields.forEach((field, index) => {
      if (given.has(index)) return;
      if (!('default' in field)) throw new SchemaError(`the field ${to.name}.${field.name} is not in the data and has no default`);
      body.push(withField(constantOf(this.#target, field.type, field.default, `${to.name}.${field.name}`), index));
    });
    return body;
  }

  /** The instruction that skips a value of the writer's. */
  #skip(w: number): Instruction {
    const { kind, size, branches, items } = this.#writerSchema.types[w]!;
    const assembler = this.#assembler;
    if (this.#empty[w] === 1) return [op.SKIP_FIXED, -1, 0, 0];
    switch (kind) {
      case BOOLEAN:
        return [op.SKIP_FIXED, -1, 1, 0];
      case INT:
      case LONG:
      case ENUM:
        return [op.SKIP_VARINT, -1, 0, 0];
      case FLOAT:
        return [op.SKIP_FIXED, -1, 4, 0];
      case DOUBLE:
        return [op.SKIP_FIXED, -1, 8, 0];
      case FIXED:
        return [op.SKIP_FIXED, -1, size, 0];
      case BYTES:
      case STRING:
        return [op.SKIP_STRING, -1, 0, 0];
      case UNION: {
        const entries = branches.map((branch) => assembler.emit([this.#skip(branch)]));
        return [op.UNION, -1, assembler.table(entries), entries.length];
      }
      case ARRAY:
      case MAP: {
        const item = this.#skip(items);
        const skipped: Instruction[] = kind === MAP ? [[op.SKIP_STRING, -1, 0, 0], item] : [item];
        return [op.SKIP_CALL, -1, this.#items(skipped, op.SKIP_BLOCK, kind === ARRAY ? this.#empty[items]! : 0), 0];
      }
      default: {
        let record = this.#skipped.get(w);
        if (record === undefined) {
          record = assembler.record([], 0);
          this.#skipped.set(w, record);
          this.#toSkip.push({ record, w });
        }
        return [op.SKIP_CALL, -1, record, 0];
      }
    }
  }

  #skipBody(record: number, w: number): void {
    const fields = this.#writerSchema.types[w]!.fields.filter(({ type }) => this.#empty[type] === 0).map(({ type }) => this.#skip(type));
    this.#assembler.body(record, [...fields, [op.RETURN, -1, 0, 0]]);
  }
}

function mismatch(from: AvroType, to: AvroType): SchemaError {
  const [written, read] = [from, to].map(({ kind, name }) => (name === KINDS[kind] ? name : `${KINDS[kind]} ${name}`));
  return new SchemaError(`${written} cannot be read as ${read}`);
}
