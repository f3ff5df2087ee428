import { test } from 'vitest';
import avro from '../../../worker/formats/avro.ts';
import bebop from '../../../worker/formats/bebop.ts';
import { Dice as AvroDice, forSchema, SchemaMaker, ValueMaker } from '../avro/random.ts';
import { Dice as BebopDice, encode as encodeBebop, randomModel as randomBebop, randomValue as randomRecord } from '../bebop/random.ts';
import { encode as encodeCapn } from '../capnproto/encode.ts';
import { Dice as CapnDice, randomModel, randomValue as randomStruct } from '../capnproto/random.ts';
import { encode as encodeFlat } from '../flatbuffers/encode.ts';
import { Dice as FlatDice, randomSchema, randomValue as randomTable } from '../flatbuffers/random.ts';
import { readDamaged, readWhole } from './read.ts';

const SEEDS = Array.from({ length: 60 }, (_, seed) => seed);

test('Avro', async () => {
  for (const seed of SEEDS) {
    const dice = new AvroDice(seed);
    const json = new SchemaMaker(dice).make();
    const bytes = Uint8Array.from(forSchema(json).toBuffer(new ValueMaker(dice, json, 'auto').make(json)).slice());
    const setting = { format: 'avro', schema: avro.compileSchema!(json) } as const;
    if (bytes.length === 0) continue;
    await readWhole(bytes, setting);
    await readDamaged(bytes, setting, () => dice.unit());
  }
});

test('Bebop', async () => {
  for (const seed of SEEDS) {
    const dice = new BebopDice(seed);
    const model = randomBebop(dice);
    const schema = await bebop.compileSchema!({ bop: model.text, record: model.root });
    const bytes = encodeBebop(model, randomRecord(dice, model));
    if (bytes.length === 0) continue;
    await readWhole(bytes, { format: 'bebop', schema });
    await readDamaged(bytes, { format: 'bebop', schema }, () => dice.next());
  }
});

test('FlatBuffers', async () => {
  for (const seed of SEEDS) {
    const dice = new FlatDice(seed);
    const schema = randomSchema(dice);
    const setting = { format: 'flatbuffers', schema } as const;
    const bytes = encodeFlat(schema, randomTable(dice, schema), { identifier: schema.identifier || undefined!, shared: true });
    await readWhole(bytes, setting);
    await readDamaged(bytes, setting, () => dice.next());
  }
});

test('Cap’n Proto', async () => {
  for (const seed of SEEDS) {
    const dice = new CapnDice(seed);
    const model = randomModel(dice);
    const value = randomStruct(dice, model);
    for (const packed of [false, true]) {
      const setting = { format: 'capnproto', schema: model.schema, options: { packed } } as const;
      const bytes = encodeCapn(model, value, packed);
      await readWhole(bytes, setting);
      await readDamaged(bytes, setting, () => dice.next());
    }
  }
});
