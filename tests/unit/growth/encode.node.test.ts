import { excessOf } from '../../setup/work/work.ts';
import { describe, expect, test } from 'vitest';
import { loadWriter } from '../../../core/formats/writers.ts';
import { type EncodeSetting, encodeWith } from '../../setup/ways/encode-with.ts';
import { SHAPES } from './shapes.ts';
import { inTurn } from './ways.ts';

/** Ways to write a value. */
const HOW: readonly { name: string; setting: EncodeSetting }[] = [
  { name: 'at once', setting: {} },
  { name: 'in turns', setting: { inTurns: true } },
  { name: 'in turns and small chunks', setting: { inTurns: true, chunk: 64 } },
  { name: 'in small chunks', setting: { chunk: 64 } },
];

const ids = Object.keys(SHAPES) as (keyof typeof SHAPES)[];

describe.each(ids)('%s encoding work grows at most linearly', (id) => {
  const cases = inTurn(SHAPES[id], HOW, ids.indexOf(id)).filter(({ one, other }) => !(one.isDepth && other.setting.inTurns));
  test.each(cases)('grows at most threefold for twice the values: $one.name, $other.name', async ({ one: { make, size }, other: { setting } }) => {
    const writer = await loadWriter(id);
    const excess = await excessOf((length) => {
      const value = make(length);
      return () => encodeWith(writer, value, setting);
    }, size);
    expect(excess).toEqual([]);
  });
});
