import { describe, expect, it } from 'vitest';
import { ENCODING_TABLE, SCHEMAS, type AnyEncoding, decodeOptionsOf } from '../../../demo/payloads/encodings.ts';
import { pageAt } from '../../../demo/site/pages.ts';
import { apiUrl, payloadUrl } from '../../../demo/payloads/payload-url.ts';
import { createStreamSettings, IDLE, tell } from '../../../demo/streaming/streaming.ts';
import { encodings } from '../../../demo/server/encodings.mjs';

describe('the page of an address', () => {
  it.each([
    ['/', 'race'],
    ['/index.html', 'race'],
    ['/streaming', 'streaming'],
    ['/demo/service-worker', 'service-worker'],
    ['/panel', 'panel'],
    ['/panel/else', 'race'],
  ])('%s is that of %s', (path, id) => {
    expect(pageAt(path).id).toBe(id);
  });
});

describe('the address of a payload', () => {
  it('names what was chosen and leaves out what was not', () => {
    expect(payloadUrl({ rows: 200, encoding: 'cbor' })).toBe('payload/cbor?format=cbor&rows=200');
    expect(payloadUrl({ rows: 1, encoding: 'json', throttle: 50, latency: 100, damage: 'byte' })).toBe(
      'payload/json?format=json&rows=1&throttle=50&latency=100&damage=byte',
    );
    expect(apiUrl({ rows: 1, encoding: 'avro', damage: 'none' })).toBe('api/trips?format=avro&rows=1');
  });
});

describe('the encodings', () => {
  it('have names that are told apart by their first nine letters, which are all that a narrow list shows', () => {
    const shown = (Object.keys(ENCODING_TABLE) as AnyEncoding[]).map((encoding) => {
      const { pathname, search } = new URL(payloadUrl({ rows: 200, encoding }), 'https://demo.test/');
      return (pathname.split('/').at(-1)! + search).slice(0, 9);
    });
    expect(new Set(shown).size).toBe(shown.length);
  });

  it('are known to the server, and have the schemas that they need', () => {
    for (const id of Object.keys(ENCODING_TABLE) as AnyEncoding[]) expect(encodings.has(id), id).toBe(true);
    for (const [id, { format }] of Object.entries(SCHEMAS)) expect(decodeOptionsOf(id as AnyEncoding)).toEqual({ format, schema: id });
    expect(decodeOptionsOf('messagepack-records')).toEqual({ format: 'messagepack' });
  });
});

describe('streaming', () => {
  it('starts with what the address asks for', () => {
    const { rows, encoding, line, latency, fault } = createStreamSettings(
      new URLSearchParams('rows=1000000&encoding=avro&line=0&latency=500&fault=reset'),
    );
    expect([rows, encoding, line, latency, fault].map(({ value }) => value)).toEqual([1_000_000, 'avro', '0', '500', 'reset']);
    const usual = createStreamSettings(new URLSearchParams('rows=3&encoding=xml'));
    expect([usual.rows.value, usual.encoding.value]).toEqual([100_000, 'messagepack']);
  });

  it('says in a sentence what happens', () => {
    const ms = (value: number): string => `${value} ms`;
    expect(tell(IDLE, ms)).toBe('Rows appear here as soon as they are decoded.');
    expect(tell({ ...IDLE, phase: 'running' }, ms)).toBe('Waiting for the first rows.');
    expect(tell({ ...IDLE, phase: 'running', firstRowsMs: 5 }, ms)).toBe('Rows can be read while the rest arrives.');
    expect(tell({ ...IDLE, phase: 'done', firstRowsMs: 120, lastByteMs: 900, doneMs: 912 }, ms)).toBe(
      'All rows 12 ms after the last byte, the first ones 120 ms after the request.',
    );
  });
});
