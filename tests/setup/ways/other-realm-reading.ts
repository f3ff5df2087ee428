import { beforeAll, expect, test } from 'vitest';
import { recordError } from '../../../core/error-record.ts';
import cborWriter from '../../../core/formats/cbor/writer.ts';
import { CborTag } from '../../../core/formats/cbor/revive.ts';
import messagepackWriter from '../../../core/formats/messagepack/writer.ts';
import { MessagePackExtension } from '../../../core/formats/messagepack/revive.ts';
import { stringifyValue } from '../../../core/sinks/json/values.ts';
import { createDecoder, type Rows } from '../../../main/index.ts';
import { encodeSync } from '../../../main/sync.ts';
import type { Realm } from './other-realm.ts';

interface Trip {
  id: number;
  at: Date;
}

/** A realm whose `Intl` has collators too. */
export type WideRealm = Realm & Pick<typeof globalThis, 'Intl'>;

/** Tests that values of another realm are compared, sorted and converted like those of this one. */
export function readsValuesOf(name: string, realmOf: () => Promise<WideRealm>): void {
  let other: WideRealm;
  let rows: Rows<Trip>;

  beforeAll(async () => {
    other = await realmOf();
    const times = [3, 1, 2, 1];
    const bytes = encodeSync(
      messagepackWriter,
      times.map((time, id) => ({ id, at: new Date(1000 * time) })),
    );
    rows = await createDecoder().decode<Trip[]>(bytes, { format: 'messagepack', as: 'rows' });
  });

  const idsOf = (found: Rows<Trip>): number[] => [...found].map(({ id }) => id);

  test(`filters rows by dates and Maps of ${name}`, async () => {
    const at = new other.Date(1000);
    expect(idsOf(await rows.where('at', at))).toEqual([1, 3]);
    expect(idsOf(await rows.where('at', { gt: at }))).toEqual([0, 2]);
    expect(idsOf(await rows.where('at', { ne: at }))).toEqual([0, 2]);
    expect(idsOf(await rows.where('at', { in: [at, new Date(3000)] }))).toEqual([0, 1, 3]);
    expect(idsOf(await rows.filter({ at: { lte: at } }))).toEqual([1, 3]);
    expect(idsOf(await rows.filter(new other.Map([['at', at]]) as never))).toEqual([1, 3]);
  });

  test(`sorts, groups and converts values that a reviver makes of ${name}`, async () => {
    const bytes = encodeSync(
      cborWriter,
      [3, 1, 2, 1].map((time, id) => ({ id, at: new CborTag(4711, 1000 * time) })),
    );
    const made = await createDecoder().decode<Trip[]>(bytes, {
      format: 'cbor',
      as: 'rows',
      reviveTag: (tag, inner) => (tag === 'cbor:tag' ? new other.Date((inner as [number, number])[1]) : undefined),
    });
    expect(idsOf(await made.sortBy('at'))).toEqual([1, 3, 2, 0]);
    expect(idsOf(await made.where('at', new Date(1000)))).toEqual([1, 3]);
    expect((await made.distinct('at')).length).toBe(3);
    expect([...made.column('at', { as: 'float64' })]).toEqual([3000, 1000, 2000, 1000]);
    expect(made.column('at', { as: 'text' })[1]).toBe('1970-01-01T00:00:01.000Z');
  });

  test(`sorts by a collator of ${name}`, async () => {
    const bytes = encodeSync(
      messagepackWriter,
      ['a10', 'a9'].map((text) => ({ text })),
    );
    const texts = (await createDecoder().decode<{ text: string }[]>(bytes, { format: 'messagepack', as: 'rows' })) as Rows<{ text: string }>;
    const sorted = await texts.sortBy('text', { locale: new other.Intl.Collator('en', { numeric: true }) });
    expect([...sorted].map(({ text }) => text)).toEqual(['a9', 'a10']);
  });

  test(`writes values that are made of ${name} as JSON text`, () => {
    const values = (realm: Realm): unknown => [
      new realm.Map([[new realm.Date(0), 1]]),
      new realm.Set([1, 2]),
      realm.Uint8Array.from([1, 2]),
      realm.Uint8Array.from([1, 2]).buffer,
      new realm.Date(0),
    ];
    expect(stringifyValue(values(other), {})).toBe(stringifyValue(values(globalThis), {}));
  });

  test(`writes bytes of ${name} as the content of tags and extensions`, () => {
    const content = (realm: Realm): Uint8Array => realm.Uint8Array.from([1, 2]);
    expect(encodeSync(cborWriter, new CborTag(24, content(other)))).toEqual(encodeSync(cborWriter, new CborTag(24, content(globalThis))));
    const extension = (realm: Realm): Uint8Array => encodeSync(messagepackWriter, new MessagePackExtension(7, content(realm)));
    expect(extension(other)).toEqual(extension(globalThis));
  });

  test(`calls onInvalidDate for a date of ${name}, alone and where references are kept`, () => {
    const value = (realm: Realm): unknown => {
      const date = new realm.Date(Number.NaN);
      return [date, date];
    };
    for (const options of [{ onInvalidDate: () => 'never' }, { onInvalidDate: () => null, references: true }]) {
      expect(encodeSync(messagepackWriter, value(other), { options })).toEqual(encodeSync(messagepackWriter, value(globalThis), { options }));
      expect(encodeSync(cborWriter, value(other), { options })).toEqual(encodeSync(cborWriter, value(globalThis), { options }));
    }
  });

  test(`records an error of ${name} with its name and message`, () => {
    expect(recordError(new other.TypeError('no'))).toMatchObject({ name: 'TypeError', reason: 'no' });
  });
}
