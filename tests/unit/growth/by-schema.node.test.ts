import { excessOf } from '../../setup/work/work.ts';
import { describe, expect, test } from 'vitest';
import { loadFormat } from '../../../core/formats/loaders.ts';
import { loadWriter } from '../../../core/formats/writers.ts';
import { encodeWith } from '../../setup/ways/encode-with.ts';
import { SCHEMAS, TREES } from './by-schema.ts';
import { inTurn, WAYS } from './ways.ts';

describe.each(SCHEMAS)('$id work grows at most linearly', ({ id, given, compiled, options, trees = TREES }) => {
  const start = SCHEMAS.findIndex((one) => one.id === id);
  test.each(inTurn(trees, WAYS, start))(
    'grows at most threefold for twice the input: $one.name, decoded to $other.name',
    async ({ one: { make, size }, other: { decode } }) => {
      const [format, writer] = await Promise.all([loadFormat(id), loadWriter(id)]);
      const schema = compiled ?? (await format.compileSchema!(given));
      const excess = await excessOf((length) => {
        const bytes = encodeWith(writer, make(length), { schema });
        return () => decode({ id, format, bytes, schema, options });
      }, size);
      expect(excess).toEqual([]);
    },
  );

  const cases = inTurn(trees, [{ setting: {} }, { setting: { inTurns: true, chunk: 64 } }], start);
  test.each(cases.filter(({ one, other }) => !(one.isDepth && other.setting.inTurns)))(
    'grows at most threefold for twice the value: $one.name, written with $other.setting',
    async ({ one: { make, size }, other: { setting } }) => {
      const [format, writer] = await Promise.all([loadFormat(id), loadWriter(id)]);
      const schema = compiled ?? (await format.compileSchema!(given));
      const excess = await excessOf((length) => {
        const value = make(length);
        return () => encodeWith(writer, value, { schema, ...setting });
      }, size);
      expect(excess).toEqual([]);
    },
  );
});
