import { excessOf } from '../../setup/work/work.ts';
import { expect, test } from 'vitest';
import { loadFormat } from '../../../core/formats/loaders.ts';
import { loadWriter } from '../../../core/formats/writers.ts';
import { createPartial } from '../../../main/partial.ts';
import { encodeWith } from '../../setup/ways/encode-with.ts';
import { list, type Shape } from './shapes.ts';

const SHAPES: readonly Shape[] = [
  { name: 'records', size: 2_000, make: (size) => ({ rows: list(size, (at) => ({ id: at, name: `name ${at % 100}`, x: at / 7 })) }) },
  { name: 'one long string', size: 18_000, make: (size) => ({ text: 'é long "\n'.repeat(size / 9) }) },
  { name: 'a long list of numbers', size: 5_000, make: (size) => list(size, (at) => at * 1000) },
  { name: 'an object with many keys', size: 500, make: (size) => Object.fromEntries(list(size, (at) => [`key ${at}`, { at }])) },
];

test.each((['json', 'messagepack', 'cbor'] as const).flatMap((id) => SHAPES.map(({ name, ...shape }) => ({ id, name, ...shape }))))(
  'a value for each 16 bytes of $id takes at most three times the work for twice the input: $name',
  async ({ id, make, size }) => {
    const [format, writer] = await Promise.all([loadFormat(id), loadWriter(id)]);
    const excess = await excessOf((length) => {
      const bytes = encodeWith(writer, make(length));
      return () => {
        const partial = createPartial(format);
        for (let at = 0; at < bytes.length; at += 16) {
          partial.push(bytes.subarray(at, at + 16));
          void partial.value;
        }
        return partial.finish();
      };
    }, size);
    expect(excess).toEqual([]);
  },
);
