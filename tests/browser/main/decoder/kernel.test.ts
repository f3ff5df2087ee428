import { describe, expect, test } from 'vitest';
import type { DecodeReport } from '../../../../main/call/observe.ts';
import type { Decoder, DecoderOptions } from '../../../../main/index.ts';
import { openWorkerDecoder as openDecoder } from './support.ts';

const records = Array.from({ length: 3000 }, (_, at) => ({
  id: at,
  name: `name ${at % 40}`,
  score: at / 8,
  text: at % 9 ? `line ${at}\n"quoted"` : null,
}));
const bytes = new TextEncoder().encode(JSON.stringify(records));

/** A decoder with loaded kernels, for which the first job waits only briefly. */
async function openWithKernels(options?: DecoderOptions): Promise<Decoder> {
  const decoder = openDecoder(options);
  await decoder.preload();
  await expect.poll(() => decoder.stats().kernel).toBe(true);
  return decoder;
}

/** Decodes the records and returns them with the report. */
async function decode(decoder: Decoder): Promise<{ value: unknown; report: DecodeReport }> {
  const reported = new Promise<DecodeReport>((resolve) => decoder.addEventListener('decode', ({ detail }) => resolve(detail), { once: true }));
  const value = await decoder.decode(bytes, { format: 'json', as: 'objects' });
  return { value, report: await reported };
}

describe('row kernels', () => {
  test('read records in a worker, as reported', async () => {
    const decoder = await openWithKernels();
    const { value, report } = await decode(decoder);
    expect(value).toEqual(records);
    expect(report).toMatchObject({ route: 'worker', kernel: true });
  });

  test('stay unused if the decoder disables them', async () => {
    const decoder = openDecoder({ kernel: false });
    const { value, report } = await decode(decoder);
    expect(value).toEqual(records);
    expect(report).toMatchObject({ route: 'worker', kernel: false });
    await expect.poll(() => decoder.stats().kernel).toBe(false);
  });

  test('stay available after a failed and a cancelled decode', async () => {
    const decoder = await openWithKernels({ workers: 1 });
    const cut = decoder.decode(bytes.slice(0, bytes.length / 2), { format: 'json' });
    await expect(cut).rejects.toMatchObject({ code: 'truncated' });
    const controller = new AbortController();
    const cancelled = decoder.decode(bytes, { format: 'json', signal: controller.signal });
    controller.abort();
    await expect(cancelled).rejects.toThrow();
    for (let round = 0; round < 3; round += 1) expect(await decode(decoder)).toMatchObject({ value: records, report: { kernel: true } });
    const several = await Promise.all([1, 2, 3].map(() => decoder.decode(bytes, { format: 'json' })));
    expect(several).toEqual([records, records, records]);
  });

  test('read the records of batches', async () => {
    const decoder = openDecoder();
    const read: unknown[] = [];
    for await (const batch of decoder.batches(bytes, { format: 'json', batchSize: 700 })) read.push(...batch);
    expect(read).toEqual(records);
  });
});
