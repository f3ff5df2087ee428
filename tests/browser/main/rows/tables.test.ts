import { describe, expect, it, onTestFinished } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { createDecoder, isRows, type Rows } from '../../../../main/index.ts';
import { hurryClock, tasksDuring } from '../../../setup/stand-ins/clock.ts';

interface Trip {
  id: number;
  station: string;
  text: string;
  at: number;
  end: number | null;
  stops: { at: number }[];
}

const trips: Trip[] = Array.from({ length: 30_000 }, (_, id) => ({
  id,
  station: `station ${(id * 31) % 900} é`,
  text: `${((id * 7_919) % 30_011).toString(36)} only once`,
  at: ((id * 104_729) % 30_000) / 3,
  end: id % 50 === 0 ? null : -id,
  stops: [{ at: id }],
}));

/** Trips as rows: over the columns of a worker, or as objects of the page. */
async function rowsOf(route: 'worker' | 'page'): Promise<Rows<Trip>> {
  const decoder = createDecoder({ workers: 1 });
  onTestFinished(() => decoder.close());
  const bytes = new TextEncoder().encode(JSON.stringify({ trips }));
  return (await decoder.decode<{ trips: Trip[] }>(bytes, { as: 'rows', route, format: 'json' })).trips;
}

describe.each(['worker', 'page'] as const)('rows decoded by the %s', (route) => {
  it('sorts, filters and groups rows like an array', async () => {
    const rows = await rowsOf(route);
    expect(isRows(rows)).toBe(true);
    const byText = (one: Trip, other: Trip): number => (one.text < other.text ? -1 : 1);
    expect((await rows.sortBy('text')).toArray()).toEqual(trips.toSorted(byText));
    const sorted = await rows.sortBy(['station', { key: 'at', descending: true }]);
    const byStation = (one: Trip, other: Trip): number => (one.station < other.station ? -1 : one.station > other.station ? 1 : other.at - one.at);
    expect(sorted.toArray()).toEqual(trips.toSorted(byStation));
    const { compare } = new Intl.Collator('de');
    expect((await rows.sortBy('station', { locale: 'de' })).map(({ id }) => id)).toEqual(
      trips.toSorted((one, other) => compare(one.station, other.station)).map(({ id }) => id),
    );
    const expected = trips.filter(({ station, at }) => station.includes('7') && at >= 5_000);
    expect((await rows.filter({ station: { includes: '7' }, at: { gte: 5_000 } })).toArray()).toEqual(expected);
    expect((await rows.filter((trip) => trip.station.includes('7') && trip.at >= 5_000)).toArray()).toEqual(expected);
    expect((await rows.where('end', null)).length).toBe(600);
    const counts = new Map<string, number>();
    for (const { station } of trips) counts.set(station, (counts.get(station) ?? 0) + 1);
    expect([...(await rows.groupBy('station'))].map(([station, { length }]) => [station, length])).toEqual([...counts]);
    expect(rows.at(20_000)).toBe(rows.at(20_000));
    expect(rows.find(({ id }) => id === 20_000)).toBe(rows.at(20_000));
  });

  it('yields the thread while it sorts and filters', async () => {
    const rows = await rowsOf(route);
    // Loads the code first, which also takes tasks.
    await rows.slice(0, 10).sortBy('id');
    hurryClock();
    for (const work of [
      () => rows.sortBy('text'),
      () => rows.filter(({ at }) => at > 5),
      () => rows.where('at', { gt: 5 }),
      () => rows.groupBy('at'),
    ]) {
      expect(await tasksDuring(work)).toBeGreaterThan(5);
    }
  });

  it('encodes rows in the order of a view', async () => {
    const sorted = await (await rowsOf(route)).sortBy('at');
    const encoder = createEncoder({ worker: true });
    onTestFinished(() => encoder.close());
    const bytes = await encoder.encode(sorted, { format: 'json' });
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual(trips.toSorted((one, other) => one.at - other.at));
  });
});

describe.each(['worker', 'page'] as const)('nested rows decoded by the %s', (route) => {
  interface Order {
    id: number;
    customer: { name: string; city: string | null };
    lines: { price: number }[];
  }

  const orders: Order[] = Array.from({ length: 30_000 }, (_, id) => ({
    id,
    customer: { name: `${((id * 7_919) % 30_011).toString(36)} Ä`, city: id % 50 === 0 ? null : `City ${(id * 31) % 700}` },
    lines: Array.from({ length: id % 4 }, (_, at) => ({ price: ((id * 104_729) % 30_000) / (at + 3) })),
  }));

  it('sorts, filters and groups rows by paths like an array, twice, and yields the thread', async () => {
    const decoder = createDecoder({ workers: 1 });
    onTestFinished(() => decoder.close());
    const bytes = new TextEncoder().encode(JSON.stringify({ orders }));
    const { orders: rows } = await decoder.decode<{ orders: Order[] }>(bytes, { as: 'rows', route, format: 'json' });
    const byName = (one: Order, other: Order): number => (one.customer.name < other.customer.name ? -1 : 1);
    const expected = orders.filter(({ customer, lines }) => customer.city !== null && customer.city >= 'City 5' && lines.length >= 2);
    const price = (order: Order): number => order.lines[0]?.price ?? Infinity;
    // Loads the code first, which also takes tasks.
    await rows.slice(0, 10).sortBy('id');
    hurryClock();
    expect(await tasksDuring(() => rows.sortBy('customer.name'))).toBeGreaterThan(5);
    for (let run = 0; run < 2; run += 1) {
      expect((await rows.sortBy('customer.name')).toArray()).toEqual(orders.toSorted(byName));
      expect((await rows.sortBy('lines.0.price' as 'id')).toArray()).toEqual(
        orders.toSorted((one, other) => price(one) - price(other) || one.id - other.id),
      );
      expect((await rows.filter({ 'customer.city': { gte: 'City 5' }, 'lines.length': { gte: 2 } })).toArray()).toEqual(expected);
      const counts = new Map<string | null, number>();
      for (const { customer } of orders) counts.set(customer.city, (counts.get(customer.city) ?? 0) + 1);
      expect([...(await rows.groupBy('customer.city'))].map(([city, { length }]) => [city, length])).toEqual([...counts]);
    }
  });
});
