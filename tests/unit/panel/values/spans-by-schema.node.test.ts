import { deflateSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { exportValue } from '../../../../devtools-extension/values/value.ts';
import avro from '../../../../core/formats/avro/index.ts';
import bebop from '../../../../core/formats/bebop/index.ts';
import protobuf from '../../../../core/formats/protobuf/index.ts';
import { caseCount } from '../../../setup/properties/case-count.ts';
import fc from '../../../setup/properties/property.ts';
import { container } from '../../core/formats/avro/bytes.ts';
import { Dice as AvroDice, forSchema, SchemaMaker, ValueMaker } from '../../core/formats/avro/random.ts';
import { Dice, encode as encodeBebop, randomModel, randomValue as randomRecord } from '../../core/formats/bebop/random.ts';
import { literalsWithValues } from '../../core/formats/jsbinary/arbitrary.ts';
import { compile, encode as encodeJsBinary } from '../../core/formats/jsbinary/reference.ts';
import { randomMessage, randomProto } from '../../core/formats/protobuf/random.ts';
import { readDamaged, readWhole } from '../read.ts';

/** Seeds of schemas; each gets several values. */
const SEEDS = Array.from({ length: caseCount(40) }, (_, seed) => seed);
const VALUES = 3;

/** Consecutive bodies. */
function joined(bodies: readonly Uint8Array[]): Uint8Array {
  return Uint8Array.from(bodies.flatMap((body) => [...body]));
}

describe('readSpans', () => {
  test('covers Avro values correctly: intact, damaged and consecutive', async () => {
    for (const seed of SEEDS) {
      const dice = new AvroDice(seed);
      const json = new SchemaMaker(dice).make();
      const schema = avro.compileSchema!(json);
      const values = new ValueMaker(dice, json, 'auto');
      const bodies = Array.from({ length: VALUES }, () => Uint8Array.from(forSchema(json).toBuffer(values.make(json)).slice()));
      if (bodies[0]!.length === 0) continue;
      for (const bytes of bodies) await readWhole(bytes, { format: 'avro', schema });
      await readDamaged(bodies[0]!, { format: 'avro', schema }, () => dice.unit());
      await readWhole(joined(bodies), { format: 'avro', schema, options: { sequence: true } });
    }
  });

  test('covers Avro containers correctly, whose compressed blocks have text but no position', async () => {
    const data = Uint8Array.of(...[1, 2, 3].flatMap((id) => [id * 2, 10, ...Buffer.from(`text${id}`)]));
    const schema = {
      type: 'record',
      name: 'R',
      fields: [
        { name: 'id', type: 'int' },
        { name: 'text', type: 'string' },
      ],
    };
    for (const codec of [undefined, 'deflate'] as const) {
      const block = { count: 3, data: codec ? deflateSync(data) : data };
      const bytes = Uint8Array.from(container(schema, codec, [block, block]));
      // Expected as written, even if it were read with another schema.
      const other = avro.compileSchema!({ type: 'record', name: 'R', fields: [{ name: 'text', type: 'string' }] });
      for (const given of [undefined, other]) {
        const body = await readWhole(bytes, { format: 'avro', schema: given });
        expect(exportValue(body.tree!, 1)).toEqual([1, 2, 3, 1, 2, 3].map((id) => ({ id, text: `text${id}` })));
      }
      let at = 0;
      await readDamaged(bytes, { format: 'avro' }, () => ((at += 7) % 100) / 100, 60);
    }
  });

  test('covers Bebop values correctly: intact, damaged and consecutive', async () => {
    for (const seed of SEEDS) {
      const dice = new Dice(seed);
      const model = randomModel(dice);
      const schema = await bebop.compileSchema!({ bop: model.text, record: model.root });
      const bodies = Array.from({ length: VALUES }, () => encodeBebop(model, randomRecord(dice, model)));
      if (bodies[0]!.length === 0) continue;
      for (const bytes of bodies) await readWhole(bytes, { format: 'bebop', schema });
      await readDamaged(bodies[0]!, { format: 'bebop', schema }, () => dice.next());
      await readWhole(joined(bodies), { format: 'bebop', schema, options: { sequence: true } });
    }
  });

  test('covers js-binary values correctly: intact, damaged and consecutive', () =>
    fc.assert(
      fc.asyncProperty(literalsWithValues, fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })), async ([literal, value], noise) => {
        const bytes = Uint8Array.from(encodeJsBinary(literal, value));
        if (bytes.length === 0) return;
        const setting = { format: 'jsbinary', schema: compile(literal) } as const;
        await readWhole(bytes, setting);
        await readDamaged(bytes, setting, () => noise.next().value!, 3);
        await readWhole(joined([bytes, bytes]), { ...setting, options: { sequence: true } });
      }),
      { numRuns: 150 },
    ));

  test('covers Protocol Buffers values correctly, with and without a schema: intact, damaged and consecutive', async () => {
    for (const seed of SEEDS) {
      const dice = new Dice(seed);
      const schema = (await protobuf.compileSchema!({ proto: randomProto(dice, 'proto3'), message: 't.M0' }))!;
      for (let i = 0; i < VALUES; i += 1) {
        const bytes = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: false, unknown: true, wrongTypes: true }));
        // Wrong types may be errors.
        for (const known of [schema, undefined]) await readDamaged(bytes, { format: 'protobuf', schema: known }, () => dice.next(), 4);
        const orderly = Uint8Array.from(randomMessage(dice, schema, schema.root, { orderly: true }));
        if (orderly.length > 0) await readWhole(orderly, { format: 'protobuf', schema });
      }
    }
  });
});
