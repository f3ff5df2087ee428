import { Packr } from 'msgpackr';
import { beforeEach, describe, expect, test } from 'vitest';
import { sample } from '../../../../core/slicing/sample.ts';
import avro from '../../../../core/formats/avro/index.ts';
import flatbuffers from '../../../../core/formats/flatbuffers/index.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { hurryClock, stopClock } from '../../../setup/stand-ins/clock.ts';
import { settingFor } from './payloads.ts';

const setting = settingFor('messagepack', messagepack);
const pack = (value: unknown): Uint8Array => Uint8Array.from(new Packr({ useRecords: false }).pack(value));
const list = (item: (id: number) => unknown): unknown[] => Array.from({ length: 20_000 }, (_, id) => item(id));
const look = (value: unknown): unknown => sample(pack(value), setting);

// On a slow thread sampling ends early, with its minimum; otherwise it reads up to its maximum.
describe.each([
  ['has plenty of time', stopClock],
  ['is late', hurryClock],
])('sample that %s', (_, setClock) => {
  beforeEach(() => setClock());

  test('classifies flat records with the same keys as flat and regular', () => {
    const rows = list((id) => ({ id, name: `n${id}`, at: new Date(id), none: null }));
    expect(look(rows)).toMatchObject({ list: true, flat: true, regular: true });
    expect(look({ head: 'x'.repeat(5000), few: [1, 2, 3], rows, tail: [1] })).toMatchObject({ list: true, flat: true, regular: true });
  });

  test('classifies records with some missing keys as regular, and records with ever new keys as irregular', () => {
    expect(look(list((id) => (id % 5 === 0 ? { id } : { id, name: `n${id}` })))).toMatchObject({ flat: true, regular: true });
    expect(look(list((id) => ({ id, [`key${id % 40}`]: id, [`more${id % 30}`]: id })))).toMatchObject({ flat: true, regular: false });
  });

  test('classifies nested records as not flat, and items that are not objects as neither', () => {
    expect(look(list((id) => ({ id, tags: [] })))).toMatchObject({ list: true, records: true, flat: false, regular: true });
    expect(look(list((id) => id))).toMatchObject({ list: true, flat: false, regular: false });
    expect(look(list((id) => [id, id]))).toMatchObject({ list: true, records: false, flat: false, regular: false });
  });

  test('finds no list in a payload without a list of two items at its beginning', () => {
    expect(look(Object.fromEntries(list((id) => [`key${id}`, { id }]) as [string, unknown][]))).toMatchObject({ list: false });
    expect(look(['x'.repeat(1e6), 1])).toMatchObject({ list: false });
  });

  test('returns undefined for a malformed or unreadable payload', () => {
    expect(sample(Uint8Array.of(0xc1, 0xc1), setting)).toBeUndefined();
    expect(sample(new Uint8Array(100), settingFor('flatbuffers', flatbuffers))).toBeUndefined();
    expect(sample(new Uint8Array(100), settingFor('avro', avro))).toBeUndefined();
  });
});
