import { createHash } from 'node:crypto';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createDictionaries, dictionariesOf, type DictionaryOptions, keepStream } from '../../../../main/server/dictionaries.ts';
import { chooseCoding } from '../../../../main/server/coding.ts';
import { respond } from '../../../../main/server.ts';

const BODY = new TextEncoder().encode('unspool '.repeat(200));

const base64 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('base64');

function get(headers: Record<string, string> = {}, url = '/trips'): { url: string; headers: Record<string, string> } {
  return { url, headers: { 'accept-encoding': 'gzip, br, zstd, dcb, dcz', ...headers } };
}

/** Options with a store that has `BODY` for an audience and a pattern. */
async function kept(match = '/trips', audience = 'public'): Promise<DictionaryOptions> {
  const options = { store: createDictionaries(), audience, match };
  await (await dictionariesOf(get(), new Headers(), options))!.keep(BODY);
  return options;
}

const knownTo = async (request: ReturnType<typeof get>, options: DictionaryOptions, headers = new Headers()) =>
  (await dictionariesOf(request, headers, options))?.known?.bytes;

describe('dictionariesOf', () => {
  it('finds the body whose hash the client sends', async () => {
    const { match: _, ...options } = await kept();
    const { known, header } = (await dictionariesOf(get({ 'available-dictionary': ` :${base64(BODY)}: ` }), new Headers(), options))!;
    expect(header).toBe('match="/trips"');
    expect(known!.bytes).toEqual(BODY);
    expect(Buffer.from(known!.hash).toString('base64')).toBe(base64(BODY));
  });

  it.each([
    ['no header', undefined],
    ['an empty header', ''],
    ['a hash without colons', base64(BODY)],
    ['an unknown hash', `:${base64(Uint8Array.of(1))}:`],
    ['a short hash', ':AAAA:'],
    ['two hashes', `:${base64(BODY)}:, :${base64(BODY)}:`],
    ['a long header', `:${'A'.repeat(100_000)}=:`],
  ])('finds none for %s, and offers the response as one', async (_, text) => {
    const request = get(text === undefined ? {} : { 'available-dictionary': text });
    expect(await dictionariesOf(request, new Headers(), await kept())).toMatchObject({ header: 'match="/trips"', known: undefined });
  });

  it('never finds a body of another audience or pattern', async () => {
    const request = get({ 'available-dictionary': `:${base64(BODY)}:` });
    const options = await kept('/trips', 'a');
    expect(await knownTo(request, options)).toEqual(BODY);
    expect(await knownTo(request, { ...options, audience: 'b' })).toBe(undefined);
    expect(await knownTo(request, { ...options, match: '/other' })).toBe(undefined);
    expect(await knownTo(request, { ...options, audience: 'a","/trips', match: '' })).toBe(undefined);
  });

  it('offers dictionaries to browsers and to clients that accept dcz, and not to others', async () => {
    const of = async (headers: Record<string, string>) => await dictionariesOf({ url: '/trips', headers }, new Headers(), await kept());
    expect(await of({ 'accept-encoding': 'gzip, br, zstd, dcb' })).toBe(undefined);
    // Chromium does not name dcz before it has a dictionary.
    const asked = { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' };
    expect(await of({ 'accept-encoding': 'gzip, br, zstd', ...asked })).toMatchObject({ header: 'match="/trips"' });
  });

  it.each([
    [true, { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }, {}],
    [true, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }, {}],
    [true, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://a.example' }, { 'access-control-allow-origin': '*' }],
    [
      true,
      { 'sec-fetch-site': 'same-site', 'sec-fetch-mode': 'cors', origin: 'https://a.example' },
      { 'access-control-allow-origin': 'https://a.example' },
    ],
    [
      false,
      { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://b.example' },
      { 'access-control-allow-origin': 'https://a.example' },
    ],
    [false, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors', origin: 'https://a.example' }, {}],
    [false, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'cors' }, { 'access-control-allow-origin': '*' }],
    [false, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' }, { 'access-control-allow-origin': '*' }],
  ])('returns dictionaries: %s for a page that asks with %o and gets %o', async (isUsed, asked, answered) => {
    const dictionaries = await dictionariesOf(get(asked), new Headers(answered), await kept());
    expect(dictionaries !== undefined).toBe(isUsed);
  });

  it.each([
    ['/trips?page=2', 'match="/trips"'],
    ['https://example.com/a/b?c', 'match="/a/b"'],
    ['/a:b*(c)+d', String.raw`match="/a\\:b\\*\\(c\\)\\+d"`],
    ['/a"b', 'match="/a%22b"'],
    [`/${'a'.repeat(1_024)}`, undefined],
    ['http://[', undefined],
  ])('offers the response to %s with Use-As-Dictionary: %s', async (url, header) => {
    const dictionaries = await dictionariesOf(get({}, url), new Headers(), { store: createDictionaries(), audience: 'public' });
    expect(dictionaries?.header).toBe(header);
  });

  it('offers the response for the path before a router of Express', async () => {
    const request = { ...get({}, '/7'), originalUrl: '/trips/7' };
    expect((await dictionariesOf(request, new Headers(), { store: new Map(), audience: 'public' }))?.header).toBe('match="/trips/7"');
  });

  it('finds none, and does not reject, if the store fails', async () => {
    const failing = { get: () => Promise.reject(new Error('gone')), set: () => Promise.reject(new Error('gone')) };
    const request = get({ 'available-dictionary': `:${base64(BODY)}:` });
    const dictionaries = await dictionariesOf(request, new Headers(), { store: failing, audience: 'public' });
    expect(dictionaries!.known).toBe(undefined);
    await dictionaries!.keep(BODY);
  });
});

describe('keepStream and keep', () => {
  const empty = async (store: Map<string, Uint8Array>) => (await dictionariesOf(get(), new Headers(), { store, audience: 'public' }))!;

  it('store a stream once it is read, without later changes to its chunks', async () => {
    const store = new Map<string, Uint8Array>();
    const chunks = [BODY.slice(0, 700), BODY.slice(700)];
    const source = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start(controller) {
        for (const chunk of chunks) controller.enqueue(chunk);
        controller.close();
      },
    });
    for await (const chunk of keepStream(source, await empty(store))) {
      expect(store.size).toBe(0);
      chunk.fill(0);
    }
    expect([...store.values()]).toEqual([BODY]);
    expect([...store.keys()]).toEqual([JSON.stringify(['public', '/trips', base64(BODY)])]);
  });

  it('do not store streams that are cancelled or longer than 8 MiB, or bytes that start like a dictionary of Zstandard', async () => {
    const store = new Map<string, Uint8Array>();
    let left = 9;
    const long = new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull(controller) {
        left -= 1;
        if (left >= 0) controller.enqueue(new Uint8Array(2 ** 20));
        else controller.close();
      },
    });
    let bytes = 0;
    for await (const chunk of keepStream(long, await empty(store))) bytes += chunk.length;
    expect(bytes).toBe(9 * 2 ** 20);
    const reader = keepStream(new Blob([BODY]).stream(), await empty(store)).getReader();
    await reader.cancel();
    await (await empty(store)).keep(Uint8Array.of(0x37, 0xa4, 0x30, 0xec, ...BODY));
    expect(store.size).toBe(0);
  });

  it('drop the least recently used bodies when the store is full', async () => {
    const store = createDictionaries({ bytes: 1_000 });
    store.set('a', new Uint8Array(400));
    store.set('b', new Uint8Array(400));
    store.set('a', new Uint8Array(410));
    await store.get('b');
    store.set('c', new Uint8Array(400));
    expect([await store.get('a'), (await store.get('b'))?.length, (await store.get('c'))?.length]).toEqual([undefined, 400, 400]);
    store.set('d', new Uint8Array(1_001));
    expect([await store.get('d'), (await store.get('c'))?.length]).toEqual([undefined, 400]);
  });
});

describe('compression', () => {
  const dictionary = { bytes: BODY, hash: new Uint8Array(32) };

  it.each([
    ['gzip, br, zstd, dcb, dcz', 'dcz'],
    ['gzip, dcz;q=0', 'gzip'],
    ['gzip;q=1, dcz;q=0.5', 'gzip'],
    ['gzip', 'gzip'],
  ])('answers Accept-Encoding: %s with %s if there is a dictionary', (accept, coding) => {
    expect(chooseCoding(get({ 'accept-encoding': accept }), ['gzip'], dictionary)).toBe(coding);
  });

  it('ignores the option in runtimes that cannot compress with dictionaries', async () => {
    const builtin = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined);
    vi.resetModules();
    onTestFinished(() => {
      builtin.mockRestore();
      vi.resetModules();
    });
    const server = await import('../../../../main/server.ts');
    const dictionaries = { store: server.createDictionaries(), audience: 'public' };
    const { headers } = await server.respond(get(), 'unspool '.repeat(1_000), { compression: { dictionaries } });
    expect(Object.fromEntries(headers)).toEqual({
      'content-encoding': 'gzip',
      'content-type': 'application/json',
      vary: 'Accept, Accept-Encoding',
    });
  });

  it('takes the codings of the options', async () => {
    const { headers } = await respond(get({ 'accept-encoding': 'br, gzip' }), 'unspool '.repeat(1_000), { compression: { codings: ['gzip'] } });
    expect(headers.get('content-encoding')).toBe('gzip');
  });
});
