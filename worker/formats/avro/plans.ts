import type { AvroOptions } from '../avro.ts';
import { compilePlan } from './compile.ts';
import type { Plan } from './plan.ts';
import type { AvroTypes } from './schema.ts';

/** The plans of a writer's schema, by the options and by the reader's schema. */
const plans = new WeakMap<AvroTypes, { reader: AvroTypes | undefined; key: string; plan: Plan }[]>();

/** The plan for schemas and options. Schemas are compiled once and used often, and so are their plans. */
export function planFor(writer: AvroTypes, reader: AvroTypes | undefined, options: AvroOptions): Plan {
  const { unions, logicalTypes, timestamps, decimals, int64 } = options;
  const key = [unions, logicalTypes, timestamps, decimals, int64].join();
  let known = plans.get(writer);
  if (!known) plans.set(writer, (known = []));
  let entry = known.find((one) => one.reader === reader && one.key === key);
  if (!entry) known.push((entry = { reader, key, plan: compilePlan(writer, reader, options) }));
  return entry.plan;
}
