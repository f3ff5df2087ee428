import bebop, { type BebopOptions } from '../../../core/formats/bebop/index.ts';
import { Dice, encode, type Model, randomModel, randomValue } from '../../unit/core/formats/bebop/random.ts';

const isMessage = ({ definitions, root }: Model): boolean => definitions.some(({ name, kind }) => name === root && kind === 'message');
const model = Array.from({ length: 80 }, (_, seed) => randomModel(new Dice(seed)))
  .filter(isMessage)
  .toSorted((a, b) => b.binary.length - a.binary.length)[0]!;

/** The schema of the inputs: a random one with fields of many kinds. */
export const schema = await bebop.compileSchema!({ bop: model.text, record: model.root });

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly BebopOptions[] = [{}, { enums: 'name', maps: 'object', int64: 'string' }, { sequence: true, int64: 'bigint' }];

/** Valid inputs. */
export function seeds(): Uint8Array[] {
  const dice = new Dice(1);
  const records = Array.from({ length: 40 }, () => encode(model, randomValue(dice, model))).filter(({ length }) => length > 0 && length < 4000);
  return [...records, Uint8Array.from(records.slice(0, 8).flatMap((bytes) => [...bytes]))];
}
