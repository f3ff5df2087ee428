import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createTripSource, tripAt, trips, TRIPS_VERSION } from '../../../../demo/server/data/trips.mjs';

const source = createTripSource(1);
const sample = source.take(10_000);

const timeOf = (text: string) => Date.parse(`${text.replace(' ', 'T')}Z`);
const decimalsOf = (degrees: number) => String(degrees).split('.')[1]?.length ?? 0;

describe('trip source', () => {
  it('returns the same row for any count, start and access method', () => {
    expect(source.take(10)).toEqual(sample.slice(0, 10));
    expect([...source.rows(5, 1000)]).toEqual(sample.slice(1000, 1005));
    expect(source.at(9_999)).toEqual(sample[9_999]);
    expect(tripAt(777)).toEqual(sample[777]);
    expect(trips(3)).toEqual({ trips: sample.slice(0, 3) });
    expect(createTripSource(1).at(123_456_789)).toEqual(source.at(123_456_789));
  });

  it('returns other rows for another seed', () => {
    expect(tripAt(0, 2)).not.toEqual(sample[0]);
    expect(createTripSource(2).stations).not.toEqual(source.stations);
  });

  it('changes only with a new version', () => {
    const digest = createHash('sha256').update(JSON.stringify(sample)).digest('hex').slice(0, 16);
    expect({ version: TRIPS_VERSION, digest }).toMatchInlineSnapshot(`
      {
        "digest": "497618eb9abfca52",
        "version": 1,
      }
    `);
  });

  it('returns the columns of the public files, in order, in every row', () => {
    const columns = [
      'ride_id',
      'rideable_type',
      'started_at',
      'ended_at',
      'start_station_name',
      'start_station_id',
      'end_station_name',
      'end_station_id',
      'start_lat',
      'start_lng',
      'end_lat',
      'end_lng',
      'member_casual',
    ];
    expect(sample.every((trip) => Object.keys(trip).join() === columns.join())).toBe(true);
  });

  it('writes ids, kinds and times as in the public files', () => {
    const time = /^2024-06-\d\d ([01]\d|2[0-3]):[0-5]\d:[0-5]\d\.\d{3}$/;
    const strange = sample.filter(
      (trip) =>
        !(
          /^[0-9A-F]{16}$/.test(trip.ride_id) &&
          /^(electric|classic)_bike$/.test(trip.rideable_type) &&
          /^(member|casual)$/.test(trip.member_casual) &&
          time.test(trip.started_at) &&
          time.test(trip.ended_at) &&
          trip.ended_at > trip.started_at &&
          /^(\d{4}\.\d\d|(JC|HB)\d{3})$/.test(trip.start_station_id)
        ),
    );
    expect(strange).toEqual([]);
  });

  it('crosses the ends of days and months as the calendar does', () => {
    const late = source.take(50_000, 980_000);
    expect(late.every((trip) => timeOf(trip.ended_at) > timeOf(trip.started_at))).toBe(true);
    expect(late.some((trip) => trip.started_at.startsWith('2024-06-30') && trip.ended_at.startsWith('2024-07-01'))).toBe(true);
    expect(late.at(-1)?.started_at.slice(0, 7)).toBe('2024-07');
  });

  it('generates unique ride ids', () => {
    expect(new Set(sample.map((trip) => trip.ride_id)).size).toBe(sample.length);
  });

  it('places every trip in the city, with 4 to 9 decimals', () => {
    const seen = new Set<number>();
    const outside: [number, number][] = [];
    for (const { start_lat, start_lng, end_lat, end_lng } of sample) {
      if (start_lat < 40.6 || start_lat > 40.95 || start_lng < -74.12 || start_lng > -73.8) outside.push([start_lat, start_lng]);
      for (const degrees of [start_lat, start_lng, end_lat, end_lng]) if (degrees !== null) seen.add(decimalsOf(degrees));
    }
    expect(outside).toEqual([]);
    expect([...seen].toSorted((left, right) => left - right)).toEqual([4, 5, 6, 7, 8, 9]);
  });

  it('includes about 2,100 stations with different names and ids, some beyond ASCII and none beyond Latin-1', () => {
    const names = source.stations.map((station) => station.name);
    expect(names.length).toBe(2100);
    expect(new Set(names).size).toBe(2100);
    expect(new Set(source.stations.map((station) => station.id)).size).toBe(2100);
    expect(names.filter((name) => name.includes(' & ')).length).toBeGreaterThan(2000);
    expect(names.filter((name) => name.includes("'")).length).toBeGreaterThan(10);
    expect(names.filter((name) => /[\u0080-\u00ff]/.test(name)).length).toBeGreaterThanOrEqual(5);
    expect(names.filter((name) => /[^\0-\u00ff]/.test(name))).toEqual([]);
  });

  it('prefers few stations and visits all', () => {
    const starts = new Map<string, number>();
    for (const trip of source.rows(100_000)) {
      starts.set(trip.start_station_id, (starts.get(trip.start_station_id) ?? 0) + 1);
    }
    const counts = [...starts.values()].toSorted((left, right) => right - left);
    const share = (stations: number) => counts.slice(0, stations).reduce((sum, count) => sum + count, 0) / 100_000;
    expect(counts.length).toBe(2100);
    expect(share(1)).toBeGreaterThan(0.004);
    expect(share(1)).toBeLessThan(0.02);
    expect(share(420)).toBeGreaterThan(0.5);
    expect(share(420)).toBeLessThan(0.8);
  });

  it('sometimes omits the end station, and sometimes its coordinates too', () => {
    const missing = sample.filter((trip) => trip.end_station_name === null);
    expect(missing.length).toBeGreaterThan(30);
    expect(missing.length).toBeLessThan(120);
    expect(missing.every((trip) => trip.end_station_id === null)).toBe(true);
    const lost = sample.filter((trip) => trip.end_lat === null);
    expect(lost.length).toBeGreaterThan(10);
    expect(lost.length).toBeLessThan(missing.length);
    expect(lost.every((trip) => trip.end_lng === null && trip.end_station_id === null)).toBe(true);
  });
});
