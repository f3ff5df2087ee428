import { afterAll, afterEach, describe, expect, it, vi } from 'vitest';
import { formatBlockType, KEPT_HEADER } from '../../../../main/block/type.ts';
import { VERSION } from '../../../../core/block/block.ts';
import { serialiseBlock } from '../../../../core/block/block-file.ts';

const engine = { isChromium: true };
vi.resetModules();
vi.doMock('../../../../core/engine/chromium.ts', () => engine);
const { readBlockOf } = await import('../../../../main/block/kept.ts');
afterAll(() => {
  vi.doUnmock('../../../../core/engine/chromium.ts');
  vi.resetModules();
});

const URL_OF_BLOCK = 'https://example.org/table';

const KEY = '0123456789abcdef';

/** Part lengths of a block that takes several reads. */
const LENGTHS = [16, 700_000, 400_000, 1_200_000, 8];

/** Block in which each part is filled with one byte. */
function file(byte: number): ArrayBuffer {
  return serialiseBlock(LENGTHS.map((length, index) => new Uint8Array(length).fill(byte + index).buffer));
}

function block(bytes: BodyInit, id: string | undefined): Response {
  const headers = { 'Content-Type': formatBlockType('block', 'json', VERSION, KEY), ...(id !== undefined && { [KEPT_HEADER]: id }) };
  const response = new Response(bytes, { headers });
  Object.defineProperty(response, 'url', { value: URL_OF_BLOCK });
  return response;
}

/** Mocks the caches to answer with `found`, and with the key of the origin's blocks. */
function keep(found: Response | undefined | Error): { match: ReturnType<typeof vi.fn> } {
  const match = vi.fn((address: string) => {
    if (address !== URL_OF_BLOCK) return Promise.resolve(address.endsWith(`/${KEY}`) ? new Response() : undefined);
    return found instanceof Error ? Promise.reject(found) : Promise.resolve(found);
  });
  vi.stubGlobal('caches', { match });
  return { match };
}

/** First byte, last byte and length of each part. */
async function read(response: Response, whole: boolean): Promise<(number | undefined)[][]> {
  const found: (number | undefined)[][] = [];
  for await (const { buffer, base, length } of readBlockOf(response, whole)) {
    const bytes = new Uint8Array(buffer, base, length);
    found.push([base % 8, bytes[0], bytes.at(-1), length]);
  }
  return found;
}

const partsFrom = (byte: number): number[][] => LENGTHS.map((length, index) => [0, byte + index, byte + index, length]);

afterEach(() => vi.unstubAllGlobals());

describe.each([true, false])("reader of a block in a service worker's cache (several parts per buffer: %s)", (whole) => {
  it('reads from the cache instead of the response', async () => {
    const { match } = keep(block(file(100), 'a'));
    const response = block(file(1), 'a');
    expect(await read(response, whole)).toEqual(partsFrom(100));
    expect(match).toHaveBeenCalledWith(URL_OF_BLOCK, { ignoreVary: true });
    expect(response.bodyUsed).toBe(true);
    await expect(read(response, whole)).rejects.toThrow(TypeError);
  });

  it('reads from the response if the cache entry is not a block of this origin', async () => {
    const foreign = block(file(100), 'a');
    foreign.headers.set('content-type', formatBlockType('block', 'json', VERSION, 'fedcba9876543210'));
    for (const found of [foreign, new Response(file(100), { headers: { [KEPT_HEADER]: 'a' } })]) {
      keep(found);
      expect(await read(block(file(1), 'a'), whole)).toEqual(partsFrom(1));
    }
  });

  it('reads from the response if the entry is missing or has another name', async () => {
    for (const found of [undefined, block(file(100), 'b'), block(file(100), undefined), new DOMException('no', 'SecurityError')]) {
      keep(found);
      expect(await read(block(file(1), 'a'), whole)).toEqual(partsFrom(1));
    }
    vi.stubGlobal('caches', undefined);
    expect(await read(block(file(1), 'a'), whole)).toEqual(partsFrom(1));
  });

  it('reads from the response if the entry is truncated', async () => {
    keep(block(file(1).slice(0, 1_500_000), 'a'));
    expect(await read(block(file(1), 'a'), whole)).toEqual(partsFrom(1));
  });

  it('continues from the response if the entry cannot be read to its end', async () => {
    const entry = block(file(1), 'a');
    const blob = await entry.clone().blob();
    let reads = 0;
    blob.slice = (from, to) => {
      const slice = Blob.prototype.slice.call(blob, from, to);
      if ((reads += 1) === 3) slice.arrayBuffer = () => Promise.reject(new DOMException('gone', 'NotReadableError'));
      return slice;
    };
    entry.blob = () => Promise.resolve(blob);
    let left = 1_000_000;
    const source = entry.body!.getReader();
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      const { value } = await source.read();
      if (value && left > 0) controller.enqueue(value.subarray(0, left));
      else controller.error(new TypeError('gone'));
      left -= value?.length ?? 0;
    };
    Object.defineProperty(entry, 'body', { value: new ReadableStream({ pull }) });
    keep(entry);
    expect(await read(block(file(1), 'a'), whole)).toEqual(partsFrom(1));
    if (whole) expect(reads).toBeGreaterThan(2);
  });

  it('locks the response while it is read, and releases it if cancelled', async () => {
    keep(block(file(100), 'a'));
    const response = block(file(1), 'a');
    const parts = readBlockOf(response, whole);
    const first = parts.next();
    expect(response.body!.locked).toBe(true);
    await first;
    await parts.return();
    expect(response.bodyUsed).toBe(true);
  });
});

it('a response without a cache name is read as a stream', async () => {
  const { match } = keep(block(file(100), 'a'));
  expect(await read(block(file(1), undefined), true)).toEqual(partsFrom(1));
  expect(match).not.toHaveBeenCalled();
});

it('a block is read as a stream if the engine would read a blob twice', async () => {
  engine.isChromium = false;
  const entry = block(file(100), 'a');
  entry.blob = () => Promise.reject(new Error('not to be asked for'));
  keep(entry);
  expect(await read(block(file(1), 'a'), true)).toEqual(partsFrom(100));
  engine.isChromium = true;
});

it('an index larger than the first read is read completely', async () => {
  const lengths = new Array<number>(5_000).fill(8);
  keep(block(serialiseBlock(lengths.map(() => new ArrayBuffer(8))), 'a'));
  expect(await read(block('', 'a'), true)).toHaveLength(5_000);
});
