import { Constants } from '../../../reading/constants.ts';
import { BYTES_PER_VALUE } from '../../../budget.ts';
import { CONSTANT, CONSTANT_KEY, CONSTANT_LIST, type Constant, FIXED, NULL, type Plan, RECORD, SKIP_REST, UNION } from './plan.ts';

/** Operation, field, a, b. */
export type Instruction = [operation: number, field: number, a: number, b: number];

/** The instruction with a record's field set. */
export function withField([operation, , a, b]: Instruction, field: number): Instruction {
  return [operation, field, a, b];
}

/** Builds a program: instructions, and the tables they refer to. */
export class ProgramBuilder {
  readonly #code: number[] = [];
  readonly #list: number[] = [];
  readonly #bodies: number[] = [];
  readonly #keys: (readonly string[])[] = [];
  readonly #counts: number[] = [];
  readonly #free: number[] = [];
  readonly #symbols = new Map<string, number>();
  readonly #values: Constant[] = [];
  readonly #messages: string[] = [];

  /** Position of the next instruction. */
  get position(): number {
    return this.#code.length;
  }

  /** Appends consecutive instructions. Returns their position. */
  emit(instructions: readonly Instruction[]): number {
    const at = this.#code.length;
    for (const instruction of instructions) this.#code.push(...instruction);
    return at;
  }

  operation(at: number): number {
    return this.#code[at]!;
  }

  /** The record of the values that an instruction reads: of all, or of the only record among a union's branches. Otherwise −1. */
  recordOf([operation, , a, b]: Instruction): number {
    if (operation === RECORD) return a;
    const branches = operation === UNION ? this.#list.slice(a, a + b).filter((at) => this.#code[at] === RECORD) : [];
    const records = new Set(branches.map((at) => this.#code[at + 2]!));
    return records.size === 1 ? [...records][0]! : -1;
  }

  /** Adds a record; its body is set later. */
  record(keys: readonly string[], count: number): number {
    this.#keys.push(keys);
    this.#counts.push(count);
    this.#free.push(0);
    return this.#bodies.push(-1) - 1;
  }

  body(record: number, instructions: readonly Instruction[]): void {
    this.setBody(record, this.emit(instructions));
    for (const [operation, field, a] of instructions) {
      const free =
        operation === NULL || operation === RECORD || operation === CONSTANT || operation === CONSTANT_LIST || (operation === FIXED && a === 0);
      if (free && field >= 0) this.#free[record]! += 1;
      if (operation === CONSTANT || operation === CONSTANT_KEY) this.#free[record]! += lengthOf(this.#values[a]!) / BYTES_PER_VALUE;
    }
  }

  /** Adds to the values of a record that take no bytes, apart from its fields. */
  addFree(record: number, values: number): void {
    this.#free[record]! += values;
  }

  setBody(record: number, at: number): void {
    this.#bodies[record] = at;
  }

  /** Appends entries to the list. Returns their position. */
  table(entries: readonly number[]): number {
    const at = this.#list.length;
    for (const entry of entries) this.#list.push(entry);
    return at;
  }

  /** Index of a symbol among the constants. */
  symbol(text: string): number {
    let index = this.#symbols.get(text);
    if (index === undefined) this.#symbols.set(text, (index = this.#symbols.size));
    return index;
  }

  value(value: Constant): number {
    return this.#values.push(value) - 1;
  }

  message(text: string): number {
    return this.#messages.push(text) - 1;
  }

  /** Message of a FAIL. */
  messageOf(at: number): string {
    return this.#messages[this.#code[at + 2]!]!;
  }

  finish(start: number, record: number, empty: boolean): Plan {
    const rest = this.emit([[SKIP_REST, -1, 0, 0]]);
    return {
      code: Int32Array.from(this.#code),
      list: Int32Array.from(this.#list),
      bodies: Int32Array.from(this.#bodies),
      keys: this.#keys,
      counts: Int32Array.from(this.#counts),
      free: Int32Array.from(this.#free),
      constants: new Constants([...this.#symbols.keys()]),
      values: this.#values,
      messages: this.#messages,
      start,
      rest,
      record,
      empty,
    };
  }
}

/** Characters or bytes of a constant, which the sink receives again with each record. */
function lengthOf(value: Constant): number {
  return typeof value === 'string' || value instanceof Uint8Array ? value.length : 0;
}
