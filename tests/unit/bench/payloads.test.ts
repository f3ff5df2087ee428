import { describe, expect, test } from 'vitest';
import { avroSchema, inferType, protoText } from '../../../bench/documents/infer.mjs';
import { longestList, resize, resizer } from '../../../bench/documents/resize.mjs';
import { canonicalRow } from '../../../bench/page/canonical.js';

const EVENT = { id: '12345678', kind: 'push', actor: { id: 4711, score: 12.5, name: 'Ada Okafor' }, tags: [] };

describe('longestList', () => {
  test('finds the list or dictionary that makes up most of a document', () => {
    expect(longestList({ meta: { ids: [1, 2] }, data: { events: [EVENT, EVENT] } })).toEqual(['data', 'events']);
    expect(longestList([EVENT])).toEqual([]);
    const plugins = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`plugin-${index}`, EVENT]));
    expect(longestList({ core: 'x', plugins })).toEqual(['plugins']);
  });

  test('throws for a document without a list', () => {
    expect(() => longestList({ a: { b: 1 } })).toThrow('The document has no list.');
  });
});

describe('resizer', () => {
  const document = {
    events: Array.from({ length: 50 }, (_, index) => ({ ...EVENT, id: `${index}5678`, title: `Order ${index} of Ada Okafor` })),
  };
  const open = resizer(document);

  test('makes a document of about the requested size', () => {
    for (const bytes of [1000, 50_000, 500_000]) {
      const made = JSON.stringify(open(bytes).value).length;
      expect(made).toBeGreaterThan(bytes * 0.95);
      expect(made).toBeLessThan(bytes + 200);
    }
  });

  test('repeats the items with other numbers and strings, and keeps frequent strings', () => {
    const { events } = open(100_000).value;
    expect(events.slice(0, 50)).toEqual(document.events);
    const [copy, second] = [events[50], events[100]];
    expect(copy.actor.id).not.toBe(EVENT.actor.id);
    expect(copy.title).not.toBe(second.title);
    expect(copy).toMatchObject({ kind: 'push', actor: { name: EVENT.actor.name }, tags: [] });
    expect(new Set(events.map((event: unknown) => JSON.stringify(event))).size).toBeGreaterThan(events.length * 0.9);
  });

  test('repeats the items of a dictionary under other keys', () => {
    const { value } = resize({ 0: EVENT, 1: EVENT }, [], 1000, new Set());
    expect(Object.keys(value).slice(0, 4)).toEqual(['0', '1', '1000000000', '1000000001']);
  });
});

describe('inferType', () => {
  const items = [
    { id: 1, at: 1.5, note: null, tags: ['a'] },
    { id: 2 ** 40, note: 'x', at: 2, tags: [] },
  ];

  test('finds the widest number, and null for a field that may be absent', () => {
    const schema = JSON.stringify(avroSchema(inferType({ items })));
    expect(schema).toContain('{"name":"id","type":["null","long"],"default":null}');
    expect(schema).toContain('{"name":"at","type":["null","double"],"default":null}');
    expect(schema).toContain('{"name":"note","type":["null","string"],"default":null}');
    const message =
      'message Message1 {\n  optional int64 id = 1;\n  optional double at = 2;\n  optional string note = 3;\n  repeated string tags = 4;\n}';
    expect(protoText(inferType({ items }))).toContain(message);
  });

  test('takes objects whose keys are no identifiers, or too many, for dictionaries', () => {
    const areas = inferType({ areas: { '205': 'left', '206': 'right' } });
    expect(avroSchema(areas)).toMatchObject({ fields: [{ type: ['null', { type: 'map', values: 'string' }] }] });
    expect(protoText(areas)).toContain('map<string, string> areas = 1;');
    const list = Array.from({ length: 300 }, (_, index) => ({ [`key_${index}`]: index }));
    expect(inferType({ list }).fields?.get('list')?.items).toEqual({ values: { number: 'int32' } });
  });

  test.each([
    [{ line: [[1, 2]] }, '$.line has lists or dictionaries as items'],
    [{ a: { mixed: [1, 'x'] } }, '$.a.mixed has values of several types'],
    [{ gaps: [1, null] }, '$.gaps has null among its items'],
    [[1], 'the root is no record'],
  ])('reports why Protocol Buffers cannot hold %j', (root, message) => {
    expect(() => protoText(inferType(root))).toThrow(message);
  });
});

test('canonicalRow equates rows of different formats', () => {
  const trip = { ride_id: 'A', rideable_type: 'classic_bike', started_at: '2024-01-01 00:00:00.000', end_lat: null };
  const others = [
    { rideId: 'A', rideableType: 1, startedAt: 1_704_067_200_000n },
    { ride_id: 'A', rideable_type: 'classicBike', started_at: new Date(1_704_067_200_000), end_station_name: '', end_lat: NaN },
  ];
  for (const other of others) expect(canonicalRow(other)).toEqual(canonicalRow(trip));
  expect(canonicalRow({ ...trip, ride_id: 'B' })).not.toEqual(canonicalRow(trip));
});
