import { describe, expect, test } from 'vitest';
import { CASES, select } from '../../../bench/cases.mjs';
import { CONTENDERS } from '../../../bench/contenders/index.js';
import { readOptions } from '../../../bench/options.mjs';

/** Selected cases, each as `case: contenders`. */
function chosen(...args: string[]) {
  const options = readOptions(args);
  if ('help' in options) throw new Error('help');
  return select(CASES, CONTENDERS, options).map(({ benchCase, contenders }) => [benchCase.name, ...contenders.map(({ id }) => id)].join(' '));
}

describe('select', () => {
  test('selects everything by default, each contender for the encodings it decodes', () => {
    const all = chosen();
    expect(all).toHaveLength(CASES.length);
    expect(all).toContain('trips-1m/json json-parse worker-clone worker-chunked unspool-rows unspool-readers unspool-objects');
    expect(all).toContain('trips-1m/messagepack msgpackr msgpack-msgpack worker-clone worker-chunked unspool-rows unspool-readers unspool-objects');
  });

  test("includes the baseline of a selected case's group", () => {
    expect(chosen('--case', 'trips-1k/messagepack-records-bundled')).toEqual([
      'trips-1k/json json-parse',
      'trips-1k/messagepack-records-bundled msgpackr worker-clone worker-chunked unspool-rows unspool-readers unspool-objects',
    ]);
  });

  test('selects contenders by parts of their ids', () => {
    expect(chosen('--case', 'movies', '--contender', 'msgpack-', '--contender', 'clone')).toEqual([
      'movies/json json-parse worker-clone',
      'movies/messagepack msgpack-msgpack worker-clone',
    ]);
  });

  test('excludes row contenders from small calls, and chunked ones from documents without a list', () => {
    expect(chosen('--case', 'call-1k/json')).toEqual(['call-1k/json json-parse worker-clone unspool-objects']);
    expect(chosen('--case', 'movies/json')).toEqual(['movies/json json-parse worker-clone unspool-rows unspool-readers unspool-objects']);
  });

  test('selects nothing for an unknown case name', () => {
    expect(chosen('--case', 'no such case')).toEqual([]);
  });

  test('selects few cases and few runs for --quick', () => {
    expect(chosen('--quick').length).toBeLessThan(10);
    expect(readOptions(['--quick'])).toMatchObject({ runs: 3 });
    expect(readOptions(['--quick', '--runs', '9'])).toMatchObject({ runs: 9 });
  });

  test('takes at least five runs of each case in full', () => {
    expect(Math.min(...CASES.map(({ runs }) => runs))).toBeGreaterThanOrEqual(5);
  });
});

describe('readOptions', () => {
  test.each([['--runs', '0'], ['--runs', 'many'], ['--nothing'], ['stray']])('rejects %s %s', (...args) => {
    expect(() => readOptions(args.filter((argument) => argument !== undefined))).toThrow();
  });
});
