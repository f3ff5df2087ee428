import { afterEach, expect, test, vi } from 'vitest';

afterEach(() => {
  vi.restoreAllMocks();
});

/** Loads the library anew, as on a page that was just opened. */
async function freshPage() {
  vi.resetModules();
  const { createDecoder } = await import('../../../../main/index.ts');
  const { canSliceJson } = await import('../../../../main/call/json-slices.ts');
  return { decoder: createDecoder(), canSliceJson };
}

/** A response whose length is not announced, in chunks of 10 kB. */
function respond(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  let at = 0;
  const body = new ReadableStream<Uint8Array>({
    pull: (controller) => (at < bytes.length ? controller.enqueue(bytes.slice(at, (at += 10_000))) : controller.close()),
  });
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

const listOf = (length: number): { id: number }[] => Array.from({ length }, (_, index) => ({ id: 100_000 + index }));

test('a page that decodes short JSON alone does not load the code of slices', async () => {
  const { decoder, canSliceJson } = await freshPage();
  const list = listOf(4_000);
  expect(await decoder.decode(respond(JSON.stringify(list.slice(0, 2_000))))).toEqual(list.slice(0, 2_000));
  expect(await decoder.decode(new TextEncoder().encode(JSON.stringify(list)))).toEqual(list);
  expect(canSliceJson()).toBe(false);
});

test('JSON below a megabyte whose length is not announced is parsed in one step while the code of slices is on its way', async () => {
  const { decoder } = await freshPage();
  const list = listOf(50_000);
  const response = respond(JSON.stringify(list));
  const parse = vi.spyOn(JSON, 'parse');
  expect(await decoder.decode(response)).toEqual(list);
  expect(parse).toHaveBeenCalledTimes(1);
});

test('a page loads the code of slices for JSON of more than a megabyte', async () => {
  const { decoder, canSliceJson } = await freshPage();
  const list = listOf(150_000);
  const response = respond(JSON.stringify(list));
  const parse = vi.spyOn(JSON, 'parse');
  expect(await decoder.decode(response)).toEqual(list);
  expect(canSliceJson()).toBe(true);
  expect(parse.mock.calls.length).toBeGreaterThan(5);
});

test('a body of JSON that fails before its first megabyte has arrived rejects with its error', async () => {
  const { decoder } = await freshPage();
  const text = JSON.stringify(listOf(25_000));
  const whole = respond(text).body!.getReader();
  const error = new TypeError('network error');
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { done, value } = await whole.read();
      if (done) controller.error(error);
      else controller.enqueue(value);
    },
  });
  const decoding = decoder.decode(new Response(body, { headers: { 'content-type': 'application/json' } }));
  await expect(decoding).rejects.toMatchObject({ name: 'NetworkError', cause: error });
});

test('the first fetch of a page loads the code of slices while it waits for its answer', async () => {
  const { decoder, canSliceJson } = await freshPage();
  let resolve: (response: Response) => void = () => {};
  vi.spyOn(globalThis, 'fetch').mockReturnValue(new Promise((settle) => (resolve = settle)));
  const response = decoder.fetch('https://api.example/list');
  await vi.waitUntil(canSliceJson);
  resolve(Response.json(listOf(10)));
  expect(await (await response).decode()).toEqual(listOf(10));
});

test('a fetch that names another format does not load the code of slices of JSON', async () => {
  const { decoder, canSliceJson } = await freshPage();
  vi.spyOn(globalThis, 'fetch').mockResolvedValue(new Response(new Uint8Array([0x81, 0x01]), { headers: { 'content-type': 'application/cbor' } }));
  const response = await decoder.fetch('https://api.example/list', { format: 'cbor' });
  expect(await response.decode()).toEqual([1]);
  expect(canSliceJson()).toBe(false);
});
