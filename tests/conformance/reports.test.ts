import { describe, test } from 'vitest';
import { tryReport } from './reports/report.ts';
import { REPORTS } from './reports/reports.ts';

describe.each([...REPORTS])('a public report about %s', (_, reports) => {
  test.each(reports)('$report is no fault of this library: $was', tryReport);
});
