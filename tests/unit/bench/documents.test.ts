import { describe, expect, test } from 'vitest';
import { documentBars, lineOf, summary, tableLine } from '../../../bench/documents/figures.mjs';
import { avroSchema, inferType, protoText } from '../../../bench/documents/infer.mjs';
import { changed, commonTexts, longestList, resize, resizer } from '../../../bench/documents/resize.mjs';

const EVENT = { id: '12345678', kind: 'push', actor: { id: 4711, score: 12.5, name: 'Ada Okafor' }, tags: [] };

/** Line of a comparison with the same figures in each run. */
function line(contender: string, kind: 'main' | 'unspool', readyMs: number, takenMs = readyMs, longestBlockMs = 5) {
  const sample = { readyMs, takenMs, longestBlockMs, mainMs: null, longestWaitMs: null, longTaskMs: null, peakBytes: 1000 };
  return lineOf({ contender, samples: [sample, sample, sample] }, kind);
}

const COMPARISON = {
  document: 'events',
  label: 'events',
  kind: 'nested' as const,
  megabytes: 5,
  jsonBytes: 5e6,
  format: 'messagepack',
  bytes: 4e6,
  lines: [
    line('json-parse', 'main', 10),
    line('msgpackr', 'main', 20),
    line('msgpack-msgpack', 'main', 16),
    line('unspool-objects', 'unspool', 12, 12.5, 20),
    line('unspool-rows', 'unspool', 9),
  ],
};

describe('longestList', () => {
  test('finds the largest list below objects', () => {
    expect(longestList({ meta: { ids: [1, 2] }, data: { events: [EVENT, EVENT] } })).toEqual(['data', 'events']);
  });

  test('accepts the root as the list', () => {
    expect(longestList([EVENT])).toEqual([]);
  });

  test('accepts a dictionary as the list', () => {
    const plugins = Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`plugin-${index}`, EVENT]));
    expect(longestList({ core: 'x', plugins })).toEqual(['plugins']);
  });

  test('throws if the document has no list', () => {
    expect(() => longestList({ a: { b: 1 } })).toThrow('The document has no list.');
  });
});

describe('resizer', () => {
  const document = {
    count: 2,
    events: Array.from({ length: 50 }, (_, index) => ({ ...EVENT, id: `${index}5678`, title: `Order ${index} of Ada Okafor` })),
  };
  const open = resizer(document);

  test('makes a document of about the requested size', () => {
    for (const bytes of [1000, 50_000, 500_000]) {
      const { value, path } = open(bytes);
      expect(path).toEqual(['events']);
      const made = JSON.stringify(value).length;
      expect(made).toBeGreaterThan(bytes * 0.95);
      expect(made).toBeLessThan(bytes + 200);
    }
  });

  test('keeps the original items at the start', () => {
    expect(open(100_000).value.events.slice(0, 50)).toEqual(document.events);
  });

  test('leaves the notation of every number unchanged', () => {
    const { value } = resizer({ items: [{ x: -0 }, { x: 1 }] })(10);
    expect(value.items[0].x).toBe(0);
  });

  test('repeats items with different numbers and texts', () => {
    const { events } = open(100_000).value;
    const [copy, second] = [events[50], events[100]];
    expect(copy.actor.id).not.toBe(EVENT.actor.id);
    expect(copy.title).not.toBe(second.title);
    expect(copy.actor.name).toBe(EVENT.actor.name);
    expect(new Set(events.map((event: unknown) => JSON.stringify(event))).size).toBeGreaterThan(events.length * 0.9);
  });

  test('repeats a dictionary with new keys', () => {
    const { value } = resize({ 0: EVENT, 1: EVENT }, [], 1000, new Set());
    expect(Object.keys(value).length).toBeGreaterThan(5);
    expect(Object.keys(value).slice(0, 4)).toEqual(['0', '1', '1000000000', '1000000001']);
  });
});

describe('changed', () => {
  test('preserves shape, types and lengths', () => {
    const copy = changed({ ...EVENT, none: null, yes: true }, 3, new Set());
    expect(Object.keys(copy)).toEqual([...Object.keys(EVENT), 'none', 'yes']);
    expect(copy.id).toMatch(/^\d{8}$/);
    expect(copy.actor.name).toHaveLength(EVENT.actor.name.length);
    expect(String(copy.actor.score)).toHaveLength(4);
    expect(copy).toMatchObject({ none: null, yes: true, tags: [] });
  });

  test('preserves texts that come from a small set', () => {
    const kept = commonTexts([EVENT, EVENT, EVENT]);
    expect(changed(EVENT, 3, kept).kind).toBe('push');
    expect(changed({ status: 3 }, 3, kept)).toEqual({ status: 3 });
  });
});

describe('inferType', () => {
  const value = {
    items: [
      { id: 1, at: 1.5, note: null, tags: ['a'] },
      { id: 2 ** 40, note: 'x', at: 2, tags: [] },
    ],
  };

  test('makes an Avro schema with the widest number type, and null for optional values', () => {
    const schema = JSON.stringify(avroSchema(inferType(value)));
    expect(schema).toContain('{"name":"id","type":["null","long"],"default":null}');
    expect(schema).toContain('{"name":"at","type":["null","double"],"default":null}');
    expect(schema).toContain('{"name":"note","type":["null","string"],"default":null}');
  });

  test('makes a Protocol Buffers schema with optional and repeated fields', () => {
    expect(protoText(inferType(value))).toBe(
      'syntax = "proto3";\n\nmessage Message1 {\n  optional int64 id = 1;\n  optional double at = 2;\n  optional string note = 3;\n  repeated string tags = 4;\n}\n\nmessage Root {\n  repeated Message1 items = 1;\n}\n',
    );
  });

  test('treats objects whose keys are not identifiers as dictionaries', () => {
    const areas = { areas: { '205': 'left', '206': 'right' } };
    expect(avroSchema(inferType(areas))).toMatchObject({ fields: [{ type: ['null', { type: 'map', values: 'string' }] }] });
    expect(protoText(inferType(areas))).toContain('map<string, string> areas = 1;');
  });

  test('treats objects with many different keys as dictionaries', () => {
    const list = Array.from({ length: 300 }, (_, index) => ({ [`key_${index}`]: index }));
    expect(inferType({ list }).fields?.get('list')?.items).toEqual({ values: { number: 'int32' } });
  });

  test('rejects values that Protocol Buffers cannot represent, and names their path', () => {
    const refused = (root: object) => () => protoText(inferType(root));
    expect(refused({ line: [[1, 2]] })).toThrow('$.line has lists or dictionaries as items');
    expect(refused({ a: { mixed: [1, 'x'] } })).toThrow('$.a.mixed has values of several types');
    expect(refused({ gaps: [1, null] })).toThrow('$.gaps has null among its items');
    expect(refused([1])).toThrow('the root is no record');
  });
});

describe('document report', () => {
  test('gives medians and minima', () => {
    const samples = [3, 9, 4].map((readyMs) => ({
      readyMs,
      takenMs: 1,
      longestBlockMs: 2,
      mainMs: null,
      longestWaitMs: null,
      longTaskMs: null,
      peakBytes: readyMs,
    }));
    expect(lineOf({ contender: 'bson', samples }, 'main')).toMatchObject({ totalMs: { median: 4, least: 3 }, peakBytes: 9, runs: 3 });
  });

  test('gives the error of a contender that failed', () => {
    expect(lineOf({ contender: 'bson', samples: [], error: 'wrong value' }, 'main')).toEqual({
      contender: 'bson',
      kind: 'main',
      runs: 0,
      error: 'wrong value',
    });
  });

  test('compares results with the fastest library on the page and with JSON.parse', () => {
    expect(documentBars(COMPARISON).map(({ name, value, limit, met }) => [name, value, limit, met])).toEqual([
      ['objects / msgpack-msgpack', 0.75, 1, true],
      ['objects: busy time of the page / json-parse', 1.25, 1.3, true],
      ['objects: longest block', 20, 16, false],
      ['rows / json-parse', 0.9, 0.8, false],
      ['rows: longest block', 5, 16, true],
    ]);
  });

  test('sets a separate busy-time bar for flat records, and no bar for rows', () => {
    const names = documentBars({ ...COMPARISON, kind: 'flat' }).filter(({ limit }) => limit === 0.3 || limit === 0.8);
    expect(names).toEqual([expect.objectContaining({ name: 'objects: busy time of the page / json-parse', met: false })]);
  });

  test('prints a comparison in one line with both ratios', () => {
    expect(tableLine(COMPARISON)).toContain('0.75 (0.75)');
    expect(tableLine({ ...COMPARISON, lines: [], impossible: 'no lists' })).toEqual(['events', '5', 'messagepack: not possible, no lists']);
  });

  test('summarises results by document and format over all sizes', () => {
    const slower = {
      ...COMPARISON,
      megabytes: 20,
      lines: [line('json-parse', 'main', 40), line('msgpackr', 'main', 50), line('unspool-objects', 'unspool', 50)],
    };
    expect(summary([COMPARISON, slower]).split('\n').at(-1)).toBe(
      '| events | messagepack | 10.0 ms to 40.0 ms | 0.75 to 1.00 | 1.25 | 0.90 | 5.00 ms to 20.0 ms |',
    );
  });
});
