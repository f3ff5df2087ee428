import { describe, expect, test } from 'vitest';
import { checkBars } from '../../../bench/bars.mjs';
import { resultOf } from './result.ts';

/** Verdict, value and limit of every bar, by description. */
function summary(...results: Parameters<typeof checkBars>[0]) {
  return Object.fromEntries(checkBars(results).map(({ name, value, limit, met }) => [name, `${met ? 'met' : 'missed'} ${value} ${limit}`]));
}

describe('checkBars', () => {
  const baseline = resultOf('trips-1m/json', 'json-parse', 2000);
  const peer = resultOf('trips-1m/messagepack', 'msgpackr', 1000);

  test('limits the time until rows of a large payload are usable', () => {
    const rows = resultOf('trips-1m/messagepack', 'unspool-rows', 600, { longestBlockMs: 15.5, totalMs: null });
    expect(summary(baseline, peer, rows)).toEqual({
      'usable rows / JSON.parse of the JSON': 'met 0.3 0.35',
      'usable rows / msgpackr': 'missed 0.6 0.5',
      'usable rows: longest block': 'met 15.5 16',
    });
  });

  test('limits the time and memory for all objects of a large payload', () => {
    const objects = resultOf('trips-1m/messagepack', 'unspool-objects', 1000, {
      longestBlockMs: 17,
      peakBytes: 5500,
      retainedBytes: 3000,
    });
    expect(summary(baseline, peer, objects)).toEqual({
      'all objects / JSON.parse of the JSON': 'met 0.5 0.6',
      'all objects / msgpackr': 'met 1 1',
      'all objects: longest block': 'missed 17 16',
      'all objects: peak memory / (2 × payload + result)': 'missed 1.1 1',
    });
  });

  test('limits the cost per row relative to the next smaller size', () => {
    const smaller = resultOf('trips-100k/messagepack', 'unspool-rows', 50);
    const larger = resultOf('trips-1m/messagepack', 'unspool-rows', 1000);
    expect(summary(smaller, larger)['unspool-rows: cost of a row / the same in trips-100k']).toBe('missed 2 1.25');
  });

  test('applies no large-payload bar to small payloads', () => {
    expect(summary(resultOf('trips-10k/json', 'json-parse', 20), resultOf('trips-10k/json', 'unspool-rows', 50))).toEqual({});
  });

  test('compares small calls with the fastest library', () => {
    const fastest = resultOf('call-1k/messagepack', 'msgpackr', 0.01);
    expect(summary(fastest, resultOf('call-1k/messagepack', 'unspool-objects', 0.011))).toEqual({
      'one call / one call of msgpackr': 'met 1.0999999999999999 1.15',
    });
  });

  test('compares irregular documents with a worker that clones', () => {
    const clone = resultOf('movies/json', 'worker-clone', 40, { longestBlockMs: 20 });
    const objects = resultOf('movies/json', 'unspool-objects', 50, { longestBlockMs: 5 });
    expect(summary(clone, objects)).toEqual({
      'all objects / worker-clone': 'missed 1.25 1.2',
      'longest block / worker-clone': 'met 0.25 1',
    });
  });

  test('gives no verdict without a figure', () => {
    expect(summary(resultOf('trips-1m/json', 'unspool-rows', null, { longestBlockMs: null, error: 'failed' }))).toEqual({});
  });
});
