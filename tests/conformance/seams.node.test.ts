import { describe, test } from 'vitest';
import { tryReport } from './reports/report.ts';
import { SEAMS } from './reports/seams.node.ts';

describe('a public report about requests, sockets, workers and realms', () => {
  test.each(SEAMS)('$report is no fault of this library: $was', tryReport);
});
