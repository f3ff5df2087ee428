import { afterEach, expect, test, vi } from 'vitest';
import { CORE } from '../../../main/decoder/core.ts';
import { Decoder } from '../../../main/decoder/decoder.ts';
import { rehearse } from '../../../main/decoder/rehearse.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

test('a page rehearses once, with the parser of the first payload, and neither starts a worker nor reports a decode', async () => {
  const createWorker = vi.fn<() => Worker>();
  const decoder = new Decoder({ createWorker }, createWorker);
  const heard = vi.fn<() => void>();
  decoder.addEventListener('decode', heard);
  const parse = vi.spyOn(JSON, 'parse');
  await rehearse(decoder[CORE]);
  const { length } = parse.mock.calls;
  expect(length).toBeGreaterThan(5);
  await rehearse(decoder[CORE]);
  expect(parse.mock.calls).toHaveLength(length);
  expect(createWorker).not.toHaveBeenCalled();
  expect(heard).not.toHaveBeenCalled();
  expect(decoder.stats()).toMatchObject({ succeeded: 0, failed: 0, workers: 0 });
  decoder.close();
});
