import type { Sink } from '../../../reading/sink.ts';
import type { Limits } from '../../../limits.ts';
import { Frames } from './frames.ts';
import { Input } from './input.ts';
import type { Plan } from './plan.ts';
import { Scalars } from './scalars.ts';
import { Scanner } from './scanner.ts';

/** State shared by the two passes over messages. */
export class Passes {
  readonly plan: Plan;
  readonly sink: Sink;
  readonly limits: Limits;
  readonly input: Input;
  readonly scanner: Scanner;
  readonly scalars: Scalars;
  readonly frames: Frames;

  constructor(plan: Plan, sink: Sink, limits: Limits) {
    this.plan = plan;
    this.sink = sink;
    this.limits = limits;
    this.input = new Input(sink, limits);
    this.scanner = new Scanner(plan, this.input, limits);
    this.scalars = new Scalars(plan, this.input, sink, limits);
    this.frames = new Frames(plan, this.input, this.scanner, sink, limits);
  }
}
