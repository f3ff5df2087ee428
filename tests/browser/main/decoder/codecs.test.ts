/** Codecs of Avro that an application adds, where a page has workers. */
import { expect, onTestFinished, test } from 'vitest';
import avro, { registerCodec } from '../../../../core/formats/avro/index.ts';
import { decodeSync } from '../../../../main/sync.ts';
import { openDecoder, rejection } from './support.ts';
import { bunzip } from '../../../setup/values/bunzip.ts';
import { hex } from '../../../setup/values/hex.ts';
import { container } from '../../../unit/core/formats/avro/bytes.ts';

const stations = ['bike', 'foot', 'bike', 'foot', 'bike', 'foot', 'bike', 'foot'];
const data = hex('425a683131415926535944741ca7000001c1800040132884002000310c080aa869b461478874f90860d17724538509044741ca70');
const blocks = Array.from({ length: 1_000 }, () => ({ count: stations.length, data }));
const file = container({ type: 'record', name: 'Stop', fields: [{ name: 'station', type: 'string' }] }, 'bzip2', blocks);

function register(inWorkers?: boolean): void {
  registerCodec('bzip2', bunzip, { inWorkers });
  onTestFinished(() => {
    for (const name of ['unspool.codecs', 'unspool.page']) delete (globalThis as Record<symbol, unknown>)[Symbol.for(name)];
  });
}

const withCodec = (): Worker => new Worker(new URL('./workers/codecs.ts', import.meta.url), { type: 'module' });

test('decodes on the page with a codec that only the page has, whatever the size, the form and the route', async () => {
  register();
  expect(decodeSync<unknown[]>(avro, file.slice())).toHaveLength(8_000);
  const decoder = openDecoder();
  const routes: string[] = [];
  decoder.addEventListener('decode', ({ detail }) => routes.push(detail.route));
  const columns = await decoder.decode<{ station: string }[]>(file.slice(), { format: 'avro', as: 'columns' });
  expect(columns.station).toHaveLength(8_000);
  for (const options of [{}, { as: 'rows' }, { as: 'rows', route: 'worker' }] as const) {
    const value = (await decoder.decode(file.slice(), { format: 'avro', ...options })) as ArrayLike<unknown> & { at(index: number): unknown };
    expect(value.length).toBe(8_000);
    expect(value.at(7_999)).toEqual({ station: 'foot' });
  }
  let count = 0;
  for await (const batch of decoder.batches(new Blob([file as Uint8Array<ArrayBuffer>]), { format: 'avro', as: 'rows' })) count += batch.length;
  expect(count).toBe(8_000);
  expect(routes.every((route) => route === 'page')).toBe(true);
  expect(decoder.stats().workers).toBe(0);
});

test("decodes in workers whose entry registers the codec, though the format's code is another copy", async () => {
  register(true);
  const decoder = openDecoder({ workers: 1, createWorker: withCodec, route: 'worker' });
  const rows = await decoder.decode<{ station: string }[]>(file.slice(), { format: 'avro', as: 'rows' });
  expect(rows.at(7_999)).toEqual({ station: 'foot' });
  expect(decoder.stats().workers).toBe(1);
});

test('names the way where a worker lacks the codec', async () => {
  const decoder = openDecoder({ workers: 1, route: 'worker' });
  const error = await rejection(decoder.decode(file.slice(), { format: 'avro', as: 'rows' }));
  expect(error).toMatchObject({ name: 'DecodeError', code: 'unsupported' });
  expect(error.message).toContain(
    'the codec bzip2 is not built in: add a package for it by registerCodec of unspool/formats/avro, in each thread that decodes',
  );
});
