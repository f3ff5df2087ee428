import { describe, expect, it } from 'vitest';
import { irregularDocuments, irregularVersion, readIrregular } from '../../../../demo/server/data/irregular.mjs';
import { numbers, pointAt } from '../../../../demo/server/data/numbers.mjs';
import { orderAt, orders } from '../../../../demo/server/data/orders.mjs';
import { readingAt, readings } from '../../../../demo/server/data/readings.mjs';
import { mix32, Random } from '../../../../demo/server/data/random.mjs';
import { stationsCall, tripsCall } from '../../../../demo/server/data/small-calls.mjs';

describe('random number generator', () => {
  it('mixes without collisions', () => {
    const seen = new Set(Array.from({ length: 100_000 }, (_, value) => mix32(value)));
    expect(seen.size).toBe(100_000);
    expect([...seen].every((value) => Number.isInteger(value) && value >= 0 && value < 2 ** 32)).toBe(true);
  });

  it('distributes numbers evenly within their range', () => {
    const random = new Random(7);
    const counts = Array.from({ length: 10 }, () => 0);
    for (let draw = 0; draw < 100_000; draw++) counts[random.below(10)]!++;
    expect(Math.min(...counts)).toBeGreaterThan(9_500);
    expect(Math.max(...counts)).toBeLessThan(10_500);
    const units = Array.from({ length: 10_000 }, () => random.unit());
    expect(units.every((unit) => unit >= 0 && unit < 1)).toBe(true);
  });
});

describe('number data set', () => {
  it('contains doubles with all their digits, equal for equal seeds', () => {
    const { items } = numbers(2000, 3);
    expect(items[1234]).toEqual(pointAt(1234, 3));
    expect(numbers(10, 3).items).toEqual(items.slice(0, 10));
    expect(numbers(10, 4).items).not.toEqual(items.slice(0, 10));
    const long = items.filter(({ x }) => String(x).replace(/\D/g, '').length >= 16);
    expect(long.length).toBeGreaterThan(1000);
    expect(items.every((point) => Object.values(point).every((value) => Number.isFinite(value)))).toBe(true);
  });
});

describe('order data set', () => {
  it('repeats for equal seeds and indices', () => {
    const list = [...orders(50, 3)];
    expect(list[40]).toEqual(orderAt(40, 3));
    expect([...orders(10, 3)]).toEqual(list.slice(0, 10));
    expect([...orders(10, 4)]).not.toEqual(list.slice(0, 10));
  });

  it('contains nested records and lists, and absent values', () => {
    const list = [...orders(500, 1)];
    expect(new Set(list.map(({ lines }) => lines.length))).toEqual(new Set([1, 2, 3, 4, 5, 6]));
    expect(list.filter(({ billing }) => billing === null).length).toBeGreaterThan(300);
    expect(list.filter(({ shipping }) => 'note' in shipping).length).toBeGreaterThan(20);
    expect(JSON.parse(JSON.stringify(list))).toEqual(list);
  });
});

describe('reading data set', () => {
  it('repeats for equal seeds and indices', () => {
    const list = [...readings(50, 3)];
    expect(list[40]).toEqual(readingAt(40, 3));
    expect([...readings(10, 4)]).not.toEqual(list.slice(0, 10));
    expect(JSON.parse(JSON.stringify(list))).toEqual(list);
  });
});

describe('small call', () => {
  it('takes about 1 KB or 10 KB', () => {
    expect(JSON.stringify(tripsCall()).length).toBeGreaterThan(900);
    expect(JSON.stringify(tripsCall()).length).toBeLessThan(1300);
    expect(JSON.stringify(stationsCall()).length).toBeGreaterThan(9_000);
    expect(JSON.stringify(stationsCall()).length).toBeLessThan(11_000);
  });

  it('repeats for equal seeds', () => {
    expect(stationsCall(5)).toEqual(stationsCall(5));
    expect(stationsCall(5)).not.toEqual(stationsCall(6));
  });
});

describe('irregular document', () => {
  it.each(irregularDocuments)('exists and can be read: %s', async (name) => {
    const document = await readIrregular(name);
    expect(document).toBeTypeOf('object');
    expect(JSON.stringify(document).length).toBeGreaterThan(1000);
    expect(await irregularVersion(name)).toMatch(/^\d+\.\d+\.\d+/);
  });

  it('causes an error that lists the known names if its name is unknown', async () => {
    await expect(readIrregular('../package')).rejects.toThrow(/No document is named "..\/package"\. There are: vega-datasets/);
  });
});
