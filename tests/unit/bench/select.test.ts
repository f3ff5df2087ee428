import { describe, expect, test } from 'vitest';
import { CASES, select } from '../../../bench/cases.mjs';
import { CONTENDERS } from '../../../bench/contenders/index.js';
import { readOptions } from '../../../bench/options.mjs';

/** `case: contenders` of what the arguments choose. */
function chosen(...args: string[]) {
  const options = readOptions(args);
  if ('help' in options) throw new Error('help');
  return select(CASES, CONTENDERS, options).map(({ benchCase, contenders }) => [benchCase.name, ...contenders.map(({ id }) => id)].join(' '));
}

describe('select', () => {
  test('takes everything by default, each contender on the encodings it decodes', () => {
    const all = chosen();
    expect(all).toHaveLength(CASES.length);
    expect(all).toContain('trips-1m/json json-parse worker-clone worker-chunked unspool-rows unspool-readers unspool-objects');
    expect(all).toContain('trips-1m/messagepack msgpackr msgpack-msgpack worker-clone worker-chunked unspool-rows unspool-readers unspool-objects');
  });

  test('takes the baseline of its group with a case', () => {
    expect(chosen('--case', 'trips-1k/messagepack-records-bundled')).toEqual([
      'trips-1k/json json-parse',
      'trips-1k/messagepack-records-bundled msgpackr worker-clone worker-chunked unspool-rows unspool-readers unspool-objects',
    ]);
  });

  test('takes contenders by parts of their ids', () => {
    expect(chosen('--case', 'movies', '--contender', 'msgpack-', '--contender', 'clone')).toEqual([
      'movies/json json-parse worker-clone',
      'movies/messagepack msgpack-msgpack worker-clone',
    ]);
  });

  test('takes no rows among small calls, and no chunks without a list', () => {
    expect(chosen('--case', 'call-1k/json')).toEqual(['call-1k/json json-parse worker-clone unspool-objects']);
    expect(chosen('--case', 'movies/json')).toEqual(['movies/json json-parse worker-clone unspool-rows unspool-readers unspool-objects']);
  });

  test('takes nothing where no case has the name', () => {
    expect(chosen('--case', 'no such case')).toEqual([]);
  });

  test('takes few cases and few runs for the short selection', () => {
    expect(chosen('--quick').length).toBeLessThan(10);
    expect(readOptions(['--quick'])).toMatchObject({ runs: 3 });
    expect(readOptions(['--quick', '--runs', '9'])).toMatchObject({ runs: 9 });
  });

  test('takes at least five runs of each in full', () => {
    expect(Math.min(...CASES.map(({ runs }) => runs))).toBeGreaterThanOrEqual(5);
  });
});

describe('readOptions', () => {
  test.each([['--runs', '0'], ['--runs', 'many'], ['--nothing'], ['stray']])('rejects %s %s', (...args) => {
    expect(() => readOptions(args.filter((argument) => argument !== undefined))).toThrow();
  });
});
