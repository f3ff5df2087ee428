import { afterEach, expect, test, vi } from 'vitest';
import { hurryClock, stopClock } from '../../../setup/stand-ins/clock.ts';

afterEach(() => {
  vi.restoreAllMocks();
});

const NEVER = new Promise(() => {});

/** Loads the library anew, as on a page that was just opened. */
async function freshPage() {
  vi.resetModules();
  const symbols = await import('../../../../main/call/decoder-state.ts');
  const { Decoder } = await import('../../../../main/decoder/decoder.ts');
  const { allCode } = await import('../../../../main/decoder/all-code.ts');
  const { warmUpFormat } = await import('../../../../main/decoder/warm-up.ts');
  const { loadedFormat, loadFormat } = await import('../../../../main/call/formats.ts');
  const createWorker = vi.fn<() => Worker>();
  const decoder = new Decoder({ createWorker }, createWorker, allCode());
  return { warmUpFormat, loadedFormat, loadFormat, decoder, core: decoder[symbols.CORE], createWorker };
}

test('a page warms up once, with the parser of the first payload, without a worker or a decode report', async () => {
  const { warmUpFormat, decoder, core, createWorker } = await freshPage();
  const heard = vi.fn<() => void>();
  decoder.addEventListener('decode', heard);
  const parse = vi.spyOn(JSON, 'parse');
  await warmUpFormat(core, NEVER);
  const { length } = parse.mock.calls;
  expect(length).toBeGreaterThan(0);
  await warmUpFormat(core, NEVER);
  expect(parse.mock.calls).toHaveLength(length);
  expect(createWorker).not.toHaveBeenCalled();
  expect(heard).not.toHaveBeenCalled();
  expect(decoder.stats()).toMatchObject({ succeeded: 0, failed: 0, workers: 0 });
  decoder.close();
});

test.each(['messagepack', 'cbor'] as const)('a page warms up the format of its first %s payload once its code is loaded', async (id) => {
  const { warmUpFormat, loadFormat, core } = await freshPage();
  const { format } = await loadFormat(id);
  const createReader = vi.spyOn(format, 'createReader');
  hurryClock(10);
  const parse = vi.spyOn(JSON, 'parse');
  await warmUpFormat(core, NEVER, id);
  expect(createReader).toHaveBeenCalled();
  expect(parse).not.toHaveBeenCalled();
});

test('a page repeats the warm-up of a reader until the response arrives', async () => {
  const { warmUpFormat, loadFormat, core } = await freshPage();
  const { format } = await loadFormat('messagepack');
  const create = format.createReader.bind(format);
  stopClock();
  let reply!: () => void;
  const answer = new Promise<void>((resolve) => (reply = resolve));
  const createReader = vi.spyOn(format, 'createReader').mockImplementation((...given) => {
    if (createReader.mock.calls.length === 3) reply();
    return create(...given);
  });
  await warmUpFormat(core, answer, 'messagepack');
  expect(createReader).toHaveBeenCalledTimes(3);
});

test('a page does not load code for a warm-up', async () => {
  const { warmUpFormat, loadedFormat, core } = await freshPage();
  await warmUpFormat(core, NEVER, 'messagepack');
  expect(loadedFormat('messagepack')).toBeUndefined();
});

test.each(['messagepack', 'cbor'] as const)('the warm-up payload of %s is valid and contains records', async (id) => {
  const { loadFormat, decoder } = await freshPage();
  const { format } = await loadFormat(id);
  const record = { id: 1, name: 'a name', at: [0.5], note: null };
  expect(await decoder.decode(format.warmUp!(), { format: id })).toEqual(Array.from({ length: 250 }, () => record));
});
