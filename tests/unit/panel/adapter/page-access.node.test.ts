import { createContext, runInContext } from 'node:vm';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Exchange, LibraryState, PageRequest } from '../../../../devtools-extension/adapter/adapter.ts';
import { createDevtoolsAdapter } from '../../../../devtools-extension/adapter/devtools.ts';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { sendExpression } from '../../../../devtools-extension/adapter/send.ts';
import { reportsOf } from '../../../../devtools-extension/panel/page/page-library.ts';
import { isOfPage } from '../../../../devtools-extension/panel/page/page-access.ts';

const REQUEST: PageRequest = {
  origin: 'https://a.test',
  method: 'POST',
  url: 'https://api.test/x',
  headers: [{ name: 'Authorization', value: 'Bearer secret' }],
  body: Uint8Array.of(1, 2),
  credentials: 'same-origin',
};
const LIBRARY: LibraryState = { origin: 'https://a.test', decodes: [], schemas: [], bodies: [7], timeOrigin: 0 };

/** Simulated page for the DevTools `eval`, with a record of all evaluated code. */
function openPage(origin: string, globals: object = {}) {
  const page = createContext({
    location: { origin },
    performance: { timeOrigin: 5 },
    atob,
    btoa,
    AbortSignal,
    console: { log: vi.fn() },
    ...globals,
  });
  const evaluate = vi.fn((expression: string, answer: (result?: unknown, problem?: object) => void) => {
    try {
      answer(runInContext(expression, page));
    } catch {
      answer(undefined, { isException: true });
    }
  });
  vi.stubGlobal('chrome', { devtools: { network: {}, panels: { themeName: 'default' }, inspectedWindow: { eval: evaluate } } });
  return { adapter: createDevtoolsAdapter(), page, evaluate };
}
afterEach(() => void vi.unstubAllGlobals());

/** Page that listens: every function that the panel could call records its caller. */
function listeningPage(origin: string) {
  const heard: string[] = [];
  const listen = (name: string) =>
    function hears(...given: unknown[]): never {
      heard.push(`${name} ${String(given[0])}`);
      throw new Error(name);
    };
  const names = ['Request', 'fetch', 'atob', 'Uint8Array', 'AbortSignal', 'String', 'JSON'];
  return { heard, ...openPage(origin, Object.fromEntries(names.map((name) => [name, listen(name)]))) };
}

describe('inspected page', () => {
  test('sends a request again', async () => {
    const sent: unknown[] = [];
    class Request {
      constructor(...given: unknown[]) {
        sent.push(...given);
      }
    }
    const { adapter } = openPage('https://a.test', { Request, fetch: () => Promise.resolve({ arrayBuffer: () => undefined }) });
    expect(await adapter.send!(REQUEST)).toBeUndefined();
    expect(sent).toMatchObject(['https://api.test/x', { method: 'POST', headers: [['Authorization', 'Bearer secret']] }]);
    expect(Array.from((sent[1] as PageRequest).body!)).toEqual([1, 2]);
  });

  test.each(['https://b.test', 'https://a.test.b.test', 'http://a.test', 'null', ''])('learns nothing about a request from %s', async (origin) => {
    const { adapter, heard } = listeningPage(origin);
    expect(await adapter.send!(REQUEST)).toMatch(/^Another page was opened/);
    expect(heard).toEqual([]);
  });

  test('compares its origin by operators only before it can see the expression', () => {
    expect(sendExpression(REQUEST)).toMatch(/^\(location\.origin === "https:\/\/a\.test" \? \(\(\) => \{/);
  });

  test('gets the variable $u only if its origin is the expected one', async () => {
    const { adapter, page } = openPage('https://a.test');
    expect(await adapter.storeInConsole!('{"a":1}', 'https://b.test')).toBe(false);
    expect(page['$u']).toBeUndefined();
    expect(await adapter.storeInConsole!('{"a":1,"__proto__":2}', 'https://a.test')).toBe(true);
    expect(JSON.stringify(page['$u'])).toBe('{"a":1,"__proto__":2}');
  });

  test('returns a body kept by its library in pieces', async () => {
    const body = Uint8Array.from({ length: 7 * 1024 * 1024 + 5 }, (_, i) => i * 31);
    const { adapter, evaluate } = openPage('https://a.test', { [Symbol.for('unspool')]: { bodies: new Map([[7, body.buffer]]) } });
    expect(Buffer.from((await adapter.readLibraryBody(7, LIBRARY))!).equals(body)).toBe(true);
    expect(evaluate).toHaveBeenCalledTimes(4);
    expect(await adapter.readLibraryBody(7, { ...LIBRARY, origin: 'https://b.test' })).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['more bytes than any body has', 2 ** 40],
    ['more bytes than the panel keeps', 128 * 1024 * 1024 + 1],
    ['a length that is not a number', '5'],
    ['NaN', NaN],
    ['a fraction', 0.5],
    ['more bytes than it then returns', 100_000_000],
  ])('loses trust if it reports a body with %s', async (_, byteLength) => {
    const bodies = new Map([[7, { byteLength }]]);
    const { adapter, evaluate } = openPage('https://a.test', { [Symbol.for('unspool')]: { bodies } });
    const sizes: unknown[] = [];
    const Counted = class extends Uint8Array {
      constructor(...given: [number]) {
        super(...given);
        sizes.push(given[0]);
      }
    };
    vi.stubGlobal('Uint8Array', Counted);
    expect(await adapter.readLibraryBody(7, LIBRARY)).toBeUndefined();
    expect(sizes.filter((size) => typeof size === 'number' && size > 4 * 1024 * 1024)).toEqual([]);
    expect(evaluate.mock.calls.length).toBeLessThanOrEqual(2);
  });

  test.each<[string, unknown]>([
    ['more bytes than asked for', btoa('abcd')],
    ['fewer bytes', ''],
    ['no base64', '***'],
    ['a number', 5],
  ])('loses trust if a piece of a body has %s', async (_, piece) => {
    const { evaluate, adapter } = openPage('https://a.test');
    evaluate.mockImplementation((expression, answer) => answer(expression.includes('byteLength ?? -1') ? 3 : piece));
    expect(await adapter.readLibraryBody(7, LIBRARY)).toBeUndefined();
  });

  test.each<[string, unknown]>([
    ['decodes that are not a list', { decodes: 5 }],
    ['decodes that are not records', { decodes: [null] }],
    ['a report whose address is an object', { decodes: [{ startTime: 1, url: {} }] }],
    ['a report whose error has no name', { decodes: [{ startTime: 1, error: { name: {} } }] }],
    ['schemas without names', { schemas: [{ format: 'bebop' }] }],
    ['bodies that are not a list', { bodies: 'abc' }],
    ['a start time that is not a number', { timeOrigin: 'x' }],
    ['an origin that is not text', { origin: 1 }],
  ])('counts as not using the library if its report has %s', async (_, wrong) => {
    const { evaluate, adapter } = openPage('https://a.test');
    evaluate.mockImplementation((__, answer) => answer(JSON.stringify({ ...LIBRARY, ...(wrong as object) })));
    expect(await adapter.readLibrary()).toBeUndefined();
  });

  test('reports the state of its library', async () => {
    const decodes = [{ id: 1, startTime: 2, url: 'https://api.test/x' }];
    const schemas = [{ name: 'a', format: 'bebop', schema: { bytes: Uint8Array.of(1, 2) } }];
    const registry = { decodes, schemas, bodies: new Map([[1, new ArrayBuffer(1)]]) };
    const { adapter } = openPage('https://a.test', { [Symbol.for('unspool')]: registry, ArrayBuffer, Uint8Array });
    expect(await adapter.readLibrary()).toEqual({ origin: 'https://a.test', decodes, schemas, bodies: [1], timeOrigin: 5 });
    expect(registry).toHaveProperty('everything', true);
  });
});

describe('request of a page', () => {
  const exchange = (url: string, headers: Record<string, string> = {}): Exchange =>
    createPageAdapter().add({ url, requestHeaders: Object.entries(headers).map(([name, value]) => ({ name, value })) });

  test.each<[string, Exchange, string, boolean]>([
    ['of the page that made it', exchange('https://api.test/', { Origin: 'https://a.test' }), 'https://a.test', true],
    ['of the page that referred to it', exchange('https://api.test/', { referer: 'https://a.test/page' }), 'https://a.test', true],
    ['of its own server', exchange('https://api.test/', { Origin: 'https://a.test' }), 'https://api.test', true],
    ['not of another page', exchange('https://api.test/', { Origin: 'https://a.test' }), 'https://b.test', false],
    [
      'not of the page that only referred to the one that made it',
      exchange('https://api.test/', { Origin: 'https://a.test', Referer: 'https://b.test/' }),
      'https://b.test',
      false,
    ],
    ['not of another port', exchange('https://api.test:8443/'), 'https://api.test', false],
    ['not of a page without an origin', exchange('https://api.test/', { Origin: 'null' }), 'null', false],
    ['of any page if it is a file', exchange('file:///a.json'), 'https://b.test', true],
  ])('matches the page by its origin: %s', (_, given, origin, isIts) => {
    expect(isOfPage(given, origin)).toBe(isIts);
  });

  test('matches no reports of another page', () => {
    const given = exchange('https://api.test/', { Origin: 'https://a.test' });
    const said = (origin: string): LibraryState =>
      ({ ...LIBRARY, origin, decodes: [{ id: 1, url: 'https://api.test/', startTime: given.time }] }) as unknown as LibraryState;
    expect(reportsOf(said('https://a.test'), given, [given])).toHaveLength(1);
    expect(reportsOf(said('https://b.test'), given, [given])).toEqual([]);
  });
});
