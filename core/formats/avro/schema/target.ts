import { type ProgramBuilder, type Instruction, withField } from '../read/program.ts';
import type { AvroOptions } from '../options.ts';
import * as op from '../read/plan.ts';
import { type AvroType, type AvroTypes, DATE, DECIMAL, isAmbiguous, NANOS, NULL, type Steps, TIME } from './schema.ts';

/** The schema to read data as, and the form of its values. */
export class Target {
  readonly assembler: ProgramBuilder;
  readonly schema: AvroTypes;
  readonly options: AvroOptions;
  readonly steps: Steps;
  readonly #wrapped = new Map<number, boolean>();

  constructor(assembler: ProgramBuilder, schema: AvroTypes, options: AvroOptions, steps: Steps) {
    this.assembler = assembler;
    this.schema = schema;
    this.options = options;
    this.steps = steps;
  }

  /** The logical type that a type is converted to. */
  logical({ logical }: AvroType): number {
    if (this.options.logicalTypes === false) return 0;
    if (logical >= DATE && logical <= NANOS && logical !== TIME && this.options.timestamps === 'number') return 0;
    return logical === DECIMAL && this.options.decimals === 'bytes' ? 0 : logical;
  }

  /** The record for durations. */
  durationRecord(): number {
    return this.assembler.record(['months', 'days', 'milliseconds'], 3);
  }

  /** A value of branch `branch` of the union `union`: an object with the type's name as its key if it is wrapped. */
  wrap(union: number, branch: number, value: Instruction): Instruction {
    if (!this.#isWrapped(union) || this.schema.types[branch]!.kind === NULL) return value;
    const { assembler } = this;
    const record = assembler.record([this.schema.types[branch]!.name], 1);
    assembler.body(record, [withField(value, 0), [op.END_RECORD, -1, 0, 0]]);
    return [op.RECORD, -1, record, 0];
  }

  #isWrapped(union: number): boolean {
    const { unions = 'auto' } = this.options;
    if (unions !== 'auto') return unions === 'wrapped';
    let wrapped = this.#wrapped.get(union);
    if (wrapped === undefined) this.#wrapped.set(union, (wrapped = isAmbiguous(this.schema, union)));
    return wrapped;
  }
}
