import { describe, expect, test, vi } from 'vitest';
import { MAKERS } from '../../../../../core/engine/maker-table.ts';
import { ObjectSink } from '../../../../../core/sinks/objects/objects.ts';
import type { Sink } from '../../../../../core/reading/sink.ts';
import { assertSame } from '../../../../setup/ways/differential.ts';

/** More records than a shape needs before it gets a maker. */
const MANY = 100;

const own = (key: string, value: unknown): object => Object.defineProperty({}, key, { value, enumerable: true, configurable: true, writable: true });

describe('sink, for frequent records', () => {
  test.each([0, 1, 2, 13, MAKERS.length, MAKERS.length + 1, 60])('preserves values and the order of keys: %i keys', (size) => {
    const keys = Array.from({ length: size }, (_, i) => `field ${i}`);
    const sink: Sink & { result: unknown } = new ObjectSink();
    const record = sink.defineRecord(keys);
    const kinds = [1, 0.5, 'text', null, true, undefined, -0];
    sink.beginArray(MANY, 0, 0);
    const expected = Array.from({ length: MANY }, (_, row) => {
      sink.beginRecord(record, 0, 0);
      const entries = keys.map((key, i) => {
        const value = kinds[(row + i) % kinds.length];
        sink.field(i, 0, 0);
        if (typeof value === 'number') sink.float(value, 0, 0);
        else if (typeof value === 'string') sink.text(value, 0, 0);
        else if (typeof value === 'boolean') sink.boolean(value, 0, 0);
        else if (value === null) sink.null(0, 0);
        else sink.undefined(0, 0);
        return [key, value] as const;
      });
      sink.endRecord(0);
      return Object.fromEntries(entries);
    });
    sink.endArray(0);
    assertSame(sink.result, expected);
  });

  test('builds nested ones, in maps and sets, and among records with missing or reordered fields', () => {
    const outer = ['id', '__proto__', 'inner', 'more'];
    const inner = ['x', 'y'];
    const sink: Sink & { result: unknown } = new ObjectSink((_, value) => ({ value }));
    const [outerRecord, innerRecord] = [sink.defineRecord(outer), sink.defineRecord(inner)];
    const send = (i: number, fields: number[]): void => {
      sink.beginRecord(innerRecord, 0, 0);
      for (const field of fields) {
        sink.field(field, 0, 0);
        sink.integer(i + field, 0, 0);
      }
      sink.endRecord(0);
    };
    const made = (i: number, fields: number[]): object =>
      Object.fromEntries([0, 1].filter((field) => fields.includes(field)).map((field) => [inner[field], i + field]));
    sink.beginArray(-1, 0, 0);
    const expected = Array.from({ length: MANY }, (_, i) => {
      const fields = [[0, 1], [0], [1], [1, 0], []][i % 5]!;
      sink.beginRecord(outerRecord, 0, 0);
      sink.field(0, 0, 0);
      sink.integer(i, 0, 0);
      sink.field(1, 0, 0);
      send(i, fields);
      sink.field(2, 0, 0);
      if (i % 3 === 0) {
        sink.beginMap(1, 0, 0);
        send(i, [0, 1]);
        send(i, fields);
        sink.endMap(0);
      } else if (i % 3 === 1) {
        sink.beginSet(1, 0, 0);
        send(i, fields);
        sink.endSet(0);
      } else {
        sink.beginTagged('a:b', 0, 0);
        send(i, fields);
        sink.endTagged(0);
      }
      if (i % 7 > 0) {
        sink.field(3, 0, 0);
        sink.beginArray(1, 0, 0);
        send(i, [0, 1]);
        sink.endArray(0);
      }
      sink.endRecord(0);
      const part = made(i, fields);
      const object = Object.assign(own('id', i), {});
      Object.defineProperty(object, '__proto__', { value: part, enumerable: true, configurable: true, writable: true });
      const set = new Set([made(i, fields)]);
      Object.assign(object, {
        inner: [new Map([[made(i, [0, 1]), made(i, fields)]]), set, { value: made(i, fields) }][i % 3],
        ...(i % 7 > 0 ? { more: [made(i, [0, 1])] } : {}),
      });
      return object;
    });
    sink.endArray(0);
    assertSame(sink.result, expected);
  });

  test('resolves references, even from inside themselves', () => {
    const sink: Sink & { result: unknown } = new ObjectSink();
    const record = sink.defineRecord(['self', 'number']);
    sink.beginArray(-1, 0, 0);
    const expected = Array.from({ length: MANY }, (_, i) => {
      sink.anchor(i, 0, 0);
      sink.beginRecord(record, 0, 0);
      sink.field(0, 0, 0);
      sink.reference(i, 0, 0);
      sink.field(1, 0, 0);
      sink.integer(i, 0, 0);
      sink.endRecord(0);
      sink.beginRecord(record, 0, 0);
      sink.field(0, 0, 0);
      sink.null(0, 0);
      sink.field(1, 0, 0);
      sink.integer(i, 0, 0);
      sink.endRecord(0);
      const cyclic: Record<string, unknown> = {};
      return [Object.assign(cyclic, { self: cyclic, number: i }), { self: null, number: i }];
    }).flat();
    sink.endArray(0);
    assertSame(sink.result, expected);
  });

  test('reports the path of the current value', () => {
    const sink: Sink & { result: unknown } = new ObjectSink((_, value) => value);
    const record = sink.defineRecord(['first', 'second']);
    sink.beginArray(-1, 0, 0);
    for (let i = 0; i < MANY; i += 1) {
      sink.beginRecord(record, 0, 0);
      sink.field(0, 0, 0);
      expect(sink.path()).toEqual([i, 'first']);
      sink.beginArray(2, 0, 0);
      sink.integer(5, 0, 0);
      sink.beginRecord(record, 0, 0);
      sink.field(0, 0, 0);
      expect(sink.path()).toEqual([i, 'first', 1, 'first']);
      sink.integer(6, 0, 0);
      sink.field(1, 0, 0);
      sink.beginTagged('a:b', 0, 0);
      sink.beginMap(1, 0, 0);
      sink.text('key', 0, 0);
      expect(sink.path()).toEqual([i, 'first', 1, 'second', 'key']);
      sink.beginArray(1, 0, 0);
      expect(sink.path()).toEqual([i, 'first', 1, 'second', 'key', 0]);
      sink.endArray(0);
      sink.endMap(0);
      sink.endTagged(0);
      sink.endRecord(0);
      sink.endArray(0);
      sink.field(1, 0, 0);
      expect(sink.path()).toEqual([i, 'second']);
      sink.null(0, 0);
      sink.endRecord(0);
    }
  });
});

describe('claimMaker', () => {
  test('returns each maker once, until none is left', async () => {
    vi.resetModules();
    const { claimMaker } = await import('../../../../../core/engine/makers.ts');
    const claims = Array.from({ length: 10 }, (_, i) => claimMaker([`a${i}`, `b${i}`, '__proto__']));
    const given = claims.filter((claim) => claim !== undefined);
    expect(given.length).toBeGreaterThan(0);
    expect(given.length).toBeLessThan(10);
    expect(new Set(given.map(({ make }) => make)).size).toBe(given.length);
    for (const { make, keys } of given) {
      const object = make(keys, [1, null, { x: 1 }]);
      expect(Object.keys(object)).toEqual(keys);
      expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
      expect(Object.values(object)).toEqual([1, null, { x: 1 }]);
    }
    expect(claimMaker([])).toBeUndefined();
    expect(claimMaker(Array.from({ length: MAKERS.length + 1 }, String))).toBeUndefined();
  });
});
