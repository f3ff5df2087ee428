import type { CapnProtoOptions } from '../../../core/formats/capnproto/index.ts';
import { encode } from '../../unit/core/formats/capnproto/encode.ts';
import { Dice, randomModel, randomValue } from '../../unit/core/formats/capnproto/random.ts';

const model = Array.from({ length: 60 }, (_, seed) => randomModel(new Dice(seed))).toSorted(
  (a, b) => b.schema.structs[0]!.fields.length - a.schema.structs[0]!.fields.length,
)[0]!;

/** The schema of the inputs: a random one with fields of many kinds. */
export const schema = model.schema;

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly CapnProtoOptions[] = [
  {},
  { enums: 'name', defaults: 'none', packed: false },
  { defaults: 'all', int64: 'bigint', packed: true },
  { flat: true, int64: 'string', packed: false },
  { sequence: true },
];

/** Valid inputs. */
export function seeds(): Uint8Array[] {
  const dice = new Dice(1);
  return Array.from({ length: 40 }, (_, index) => encode(model, randomValue(dice, model), index % 3 === 0)).filter(({ length }) => length < 4000);
}
