/** The example that follows a log, for a long one. */
import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { ROW_LIST } from '../../../core/values/record-list.ts';
import { followLog } from '../../../docs/examples/23-resuming/index.ts';
import { createDecoder } from '../../../main/index.ts';
import { answerRanges, logLines } from '../../setup/servers/log-server.ts';

const decoder = createDecoder();

test('a log of hundreds of thousands of lines is followed over connections that break, and its last rows are kept', async () => {
  const COUNT = 300_000;
  const file = Buffer.from(logLines(0, COUNT));
  const ranges: string[] = [];
  const server = http.createServer(answerRanges(() => file, 2 ** 21 + 1, ranges)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => server.close().closeAllConnections());
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const stop = new AbortController();
  const source = followLog(url, { signal: stop.signal, pause: 1 });
  const rows = await decoder.growingRows<{ id: number }>(source, { format: 'json', options: { sequence: true }, keep: 10_000 });
  while (rows.dropped + rows.length < COUNT) await new Promise<void>((resolve) => void rows.subscribe(resolve));
  stop.abort();
  await rows.done;
  expect(rows).toMatchObject({ length: 10_000, dropped: COUNT - 10_000, complete: true });
  expect([...rows.column('id')!]).toEqual(Array.from({ length: 10_000 }, (_, at) => COUNT - 10_000 + at));
  // The rest of the batch in which the last rows begin is kept, too.
  expect(rows[ROW_LIST].runs!.reduce((sum, { table }) => sum + table.rows, 0)).toBeLessThan(COUNT / 10);
  expect(ranges.length).toBeGreaterThan(2);
});
