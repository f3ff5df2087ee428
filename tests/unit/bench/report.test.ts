import { describe, expect, test } from 'vitest';
import { checkBars } from '../../../bench/bars.mjs';
import { reportPage } from '../../../bench/report/page.mjs';
import { barTable, caseTable, duration, size } from '../../../bench/table.mjs';
import { resultOf } from './result.ts';

const results = [
  resultOf('trips-1m/json', 'json-parse', 2000, { bytes: 363_000_000, longTaskMs: 2000, peakBytes: 1_500_000_000 }),
  resultOf('trips-1m/json', 'worker-clone', null, { error: 'out of <memory>', longestBlockMs: null }),
  resultOf('trips-1m/json', 'unspool-rows', 800, { totalMs: null, longestBlockMs: 9.5, mainMs: 12 }),
];

describe('caseTable', () => {
  test('shows times, ratios and failures', () => {
    const lines = caseTable(results, 'trips-1m/json').split('\n');
    expect(lines[0]).toBe('trips-1m/json (363 MB, 1,000,000 rows)');
    expect(lines[2]?.split(/\s{2,}/)).toEqual([
      '',
      'JSON.parse',
      '2,000 ms',
      '2,000 ms',
      '1.00 ×',
      '1.00 ×',
      '2,000 ms',
      '2,000 ms',
      '2,000 ms',
      '1500 MB',
      '1',
    ]);
    expect(lines[3]).toContain('out of <memory>');
    expect(lines[4]?.split(/\s{2,}/)).toEqual(['', 'Unspool as rows', '800 ms', '–', '0.40 ×', '0.40 ×', '9.50 ms', '12.0 ms', '< 50 ms', '–', '1']);
  });

  test('marks a case where the browser and the ticker report different longest tasks', () => {
    const doubtful = [resultOf('trips-1k/json', 'json-parse', 100, { longestBlockMs: 10, longTaskMs: 100 })];
    expect(caseTable(doubtful, 'trips-1k/json')).toContain('≠ 100 ms');
  });

  test('returns an empty text without results', () => {
    expect(caseTable(results, 'trips-1k/json')).toBe('');
  });
});

test('the table of bars marks the bars that are missed', () => {
  const lines = barTable(checkBars(results)).split('\n');
  expect(lines[1]).toMatch(/^ {2}MISSED +0\.40 × +at most 0\.35 × +trips-1m\/json +usable rows \/ JSON\.parse/);
  expect(lines[3]).toMatch(/^ {2}met +9\.50 ms +at most 16\.0 ms/);
});

test('the report writes durations with three digits', () => {
  const values = [null, 0, 0.000_51, 0.0123, 1.234, 12.34, 123.4, 12_345];
  expect(values.map(duration)).toEqual(['–', '0 ms', '0.510 µs', '12.3 µs', '1.23 ms', '12.3 ms', '123 ms', '12,345 ms']);
});

test('the report writes sizes in a fitting unit', () => {
  expect([null, 512, 10_240, 4_200_000, 363_000_000, 25e9].map(size)).toEqual(['–', '512 B', '10 KB', '4.2 MB', '363 MB', '25 GB']);
});

describe('the report', () => {
  const machine = { cpu: 'A & B', cores: 2, memoryBytes: 8e9, system: 'Linux 6', load: 0.5 };
  const about = { machine, browser: 'Chromium 1', date: '2026-01-02T03:04:05.000Z', notes: 'Medians.' };

  test('shows every case, contender and bar, and escapes their text', () => {
    const page = reportPage({ ...about, results, bars: checkBars(results) }, 'body{}');
    for (const text of ['trips-1m', 'JSON.parse', 'Unspool as rows', 'A &amp; B', 'out of &lt;memory&gt;', 'Bars: 2 of 3 met']) {
      expect(page).toContain(text);
    }
    expect(page).not.toContain('<memory>');
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
    expect(page).not.toMatch(/<(?:script|link|img)|https?:/);
  });

  test('draws the cost per row if there are several sizes', () => {
    const sizes = [...results, resultOf('trips-1k/json', 'json-parse', 2), resultOf('trips-10k/json', 'json-parse', 20)];
    const page = reportPage({ ...about, results: sizes, bars: [] }, '');
    expect(page).toContain('Cost of a row by number of rows: trips, json');
    expect(page).not.toMatch(/NaN|undefined|Infinity/);
  });
});
