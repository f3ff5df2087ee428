/** Refetches in Chromium from a server that compresses with the last response as the dictionary: Node 24, from the registry. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findChromium } from '../../scripts/browsers.mjs';
import { PATIENCE_MS } from '../setup/browsers/patience.ts';
import { canInstall, install } from '../setup/build/npm.ts';

const platform = process.platform === 'win32' ? 'win' : process.platform;
const NODE = `node-${platform}-${process.arch}`;
const VERSION = '24.21.0';

const found = findChromium();
const isPossible = found !== undefined && (await canInstall());

let folder: string;
let server: ChildProcess;
let browser: Browser;
let url: string;

beforeAll(async () => {
  if (!isPossible) return;
  folder = await mkdtemp(join(tmpdir(), 'unspool-dictionaries-'));
  await install(folder, `${NODE}@${VERSION}`);
  const node = join(folder, 'node_modules', NODE, 'bin', platform === 'win' ? 'node.exe' : 'node');
  server = spawn(node, [join(import.meta.dirname, 'dictionaries/server.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [port] = (await once(server.stdout!, 'data')) as [Buffer];
  url = `http://127.0.0.1:${Number(String(port))}`;
  browser = await chromium.launch(found.launch);
});

afterAll(async () => {
  if (!isPossible) return;
  await browser?.close();
  server?.kill();
  await rm(folder, { recursive: true, force: true });
});

/** One of the server's responses: see `dictionaries/server.mjs`. */
interface Logged {
  readonly dictionary?: string;
  readonly coding: string;
  readonly vary: string;
  readonly bytes: number;
}

async function logged(): Promise<Logged[]> {
  return (await (await fetch(`${url}/log`)).json()) as Logged[];
}

describe.skipIf(!isPossible)('a refetch in Chromium', () => {
  it.each(['/trips', '/cursor'])(
    'of %s is compressed with the last response, to a fiftieth of the bytes if one trip in a hundred has changed',
    async (path) => {
      const page = await browser.newPage();
      page.setDefaultTimeout(PATIENCE_MS);
      await page.goto(url);
      await page.waitForFunction(() => 'decoder' in globalThis);
      /** Fetches the trips, which have changed since the last call, and says which of them are the same objects. */
      const refetch = async (): Promise<[same: number, isCurrent: boolean]> =>
        await page.evaluate(async (from) => {
          const { before } = globalThis as { before?: object[] };
          const trips = await (await decoder.fetch(from, { cache: 'no-cache' })).json<object[]>({ previous: before });
          Object.assign(globalThis, { before: trips });
          const same = trips.filter((trip, index) => trip === before?.[index]).length;
          return [same, JSON.stringify(trips) === (await (await fetch('/plain', { cache: 'no-store' })).text())];
        }, path);
      expect(await refetch()).toEqual([0, true]);
      const [first] = await logged();
      expect(first).toMatchObject({ coding: 'zstd', vary: 'Accept, Accept-Encoding, Available-Dictionary' });
      expect(first!.bytes).toBeGreaterThan(200_000);
      const hashes = new Set<string | undefined>([first!.dictionary]);
      for (let count = 1; count <= 3; count += 1) {
        expect(await refetch()).toEqual([19_800, true]);
        const [again] = await logged();
        expect(again!.coding).toBe('dcz');
        expect(again!.bytes).toBeLessThan(first!.bytes / 50);
        hashes.add(again!.dictionary);
      }
      // Each response is the dictionary of the next.
      expect(hashes.size).toBe(4);
      await page.close();
    },
  );

  it('uses the dictionary of its own path alone, and ordinary compression without one', async () => {
    const page = await browser.newPage();
    await page.goto(url);
    const codings = await page.evaluate(async () => {
      const of: (string | null)[] = [];
      for (const path of ['/trips', '/trips?page=2', '/cursor']) {
        const response = await fetch(path, { cache: 'no-cache' });
        await response.arrayBuffer();
        of.push(response.headers.get('content-encoding'));
      }
      return of;
    });
    expect(codings).toEqual(['zstd', 'dcz', 'zstd']);
    await page.close();
  });
});
