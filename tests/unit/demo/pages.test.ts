import { describe, expect, it } from 'vitest';
import { ENCODING_TABLE, SCHEMAS, type AnyEncoding, decodeOptionsOf } from '../../../demo/payloads/encodings.ts';
import { isPage, pageAt } from '../../../demo/site/pages.ts';
import { apiUrl, payloadUrl } from '../../../demo/payloads/payload-url.ts';
import { createStreamSettings, IDLE, tell } from '../../../demo/streaming/streaming.ts';
import { encodings } from '../../../demo/server/encodings.mjs';

describe('pageAt', () => {
  it.each([
    ['/', 'race'],
    ['/index.html', 'race'],
    ['/streaming', 'streaming'],
    ['/table', 'table'],
    ['/playground', 'playground'],
    ['/demo/playground.html', 'playground'],
    ['/live', 'live'],
    ['/demo/service-worker', 'service-worker'],
    ['/refetching', 'refetching'],
    ['/panel', 'panel'],
    ['/panel/else', 'race'],
  ])('maps %s to the page %s', (path, id) => {
    expect(pageAt(path).id).toBe(id);
  });
});

it('isPage knows the addresses of pages, with and without .html, and no others', () => {
  for (const path of ['/', '/index.html', '/demo/', '/playground', '/demo/playground.html', '/live']) expect(isPage(path), path).toBe(true);
  for (const path of ['/nothing', '/lane.html', '/address.html', '/race', '/panel/else']) expect(isPage(path), path).toBe(false);
});

describe('payloadUrl', () => {
  it('contains the chosen settings and omits the defaults', () => {
    expect(payloadUrl({ rows: 200, encoding: 'cbor' })).toBe('payload/cbor?format=cbor&rows=200');
    expect(payloadUrl({ rows: 1, encoding: 'json', throttle: 50, latency: 100, damage: 'byte' })).toBe(
      'payload/json?format=json&rows=1&throttle=50&latency=100&damage=byte',
    );
    expect(apiUrl({ rows: 1, encoding: 'avro', damage: 'none' })).toBe('api/trips?format=avro&rows=1');
  });
});

describe('encoding table', () => {
  it('shows names that differ in their first nine letters, the only ones a narrow list shows', () => {
    const shown = (Object.keys(ENCODING_TABLE) as AnyEncoding[]).map((encoding) => {
      const { pathname, search } = new URL(payloadUrl({ rows: 200, encoding }), 'https://demo.test/');
      return (pathname.split('/').at(-1)! + search).slice(0, 9);
    });
    expect(new Set(shown).size).toBe(shown.length);
  });

  it('lists encodings that the server knows, with the schemas they need', () => {
    for (const id of Object.keys(ENCODING_TABLE) as AnyEncoding[]) expect(encodings.has(id), id).toBe(true);
    for (const id of Object.keys(SCHEMAS)) expect(decodeOptionsOf(id as AnyEncoding)).toEqual({ schema: id });
    expect(decodeOptionsOf('messagepack-records')).toEqual({ format: 'messagepack' });
  });
});

describe('streaming page', () => {
  it('reads its initial settings from the address', () => {
    const { rows, encoding, line, latency, fault } = createStreamSettings(
      new URLSearchParams('rows=1000000&encoding=avro&line=0&latency=500&fault=reset'),
    );
    expect([rows, encoding, line, latency, fault].map(({ value }) => value)).toEqual([1_000_000, 'avro', '0', '500', 'reset']);
    const usual = createStreamSettings(new URLSearchParams('rows=3&encoding=xml'));
    expect([usual.rows.value, usual.encoding.value]).toEqual([100_000, 'messagepack']);
  });

  it('describes its state in a sentence', () => {
    const ms = (value: number): string => `${value} ms`;
    expect(tell(IDLE, ms)).toBe('Rows appear here as soon as they are decoded.');
    expect(tell({ ...IDLE, phase: 'running' }, ms)).toBe('Waiting for the first rows.');
    expect(tell({ ...IDLE, phase: 'running', firstRowsMs: 5 }, ms)).toBe('Rows can be read while the rest arrives.');
    expect(tell({ ...IDLE, phase: 'done', firstRowsMs: 120, lastByteMs: 900, doneMs: 912 }, ms)).toBe(
      'All rows 12 ms after the last byte, the first ones 120 ms after the request.',
    );
  });
});
