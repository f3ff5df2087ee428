import { expect, test } from 'vitest';
import { createDecoder } from '../../../../main/index.ts';
import { plainCopy } from '../../../../main/pool/plain-copy.ts';
import { localWorker } from '../../../setup/stand-ins/local-workers.ts';

const SENTENCE = 'an option contains itself, or has too many levels, and cannot be sent to a worker';

test('refuses options that contain themselves, also those that are a new proxy at each access', () => {
  const cyclic: unknown[] = [];
  cyclic.push({ inner: { cyclic } }, { cyclic });
  expect(() => plainCopy(cyclic)).toThrow(new TypeError(SENTENCE));
  const proxied = (target: object): object =>
    new Proxy(target, { get: (of, key) => (key === 'self' ? proxied(of) : Reflect.get(of, key)) as unknown });
  expect(() => plainCopy(proxied({ self: 1 }))).toThrow(new TypeError(SENTENCE));
});

test('copies options that occur more than once', () => {
  const shared = { maps: 'map' };
  expect(plainCopy({ a: shared, b: [shared] })).toEqual({ a: shared, b: [shared] });
});

test('a decode and batches in a worker reject options that contain themselves', async () => {
  const decoder = createDecoder({ createWorker: localWorker, route: 'worker', syncBelow: 0 });
  const structures: unknown[] = [];
  structures.push(structures);
  const options = { format: 'messagepack', options: { structures } } as never;
  await expect(decoder.decode(Uint8Array.of(1), options)).rejects.toThrow(SENTENCE);
  await expect(decoder.batches(new Blob([Uint8Array.of(0x91, 1)]), options).next()).rejects.toThrow(SENTENCE);
  decoder.close();
});
