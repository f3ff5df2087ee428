/** The playground in Chromium, with files that the libraries of the formats have written. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { tableFromArrays, tableToIPC } from 'apache-arrow';
import avro from 'avsc';
import { serialize } from 'bson';
import { encode as encodeCbor } from 'cbor-x';
import { pack } from 'msgpackr';
import type { Page } from 'playwright-core';
import protobufjs from 'protobufjs';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type DemoSite, type DemoVisit, openDemoSite, visitDemo } from '../../setup/servers/demo-site.ts';

const stops = Array.from({ length: 300 }, (_, id) => ({ id, name: `Stop ${id}`, lat: id / 7, open: id % 3 > 0 }));
const PROTO = `syntax = "proto3"; package town;
message Note { string text = 1; }
message Stops { repeated Stop stops = 1; }
message Stop { int32 id = 1; string name = 2; double lat = 3; bool open = 4; }`;
const json = Buffer.from(JSON.stringify({ stops }));

let site: DemoSite;
let visit: DemoVisit;
let page: Page;

beforeAll(async () => {
  site = await openDemoSite();
  visit = await visitDemo(site);
  ({ page } = visit);
});
afterAll(() => site.close());
afterEach(() => visit.restart());

type Upload = { name: string; mimeType: string; buffer: Buffer };
const file = (name: string, content: Uint8Array | string): Upload => ({ name, mimeType: '', buffer: Buffer.from(content) });

async function open(hash = ''): Promise<void> {
  await page.goto(`${site.url}playground${hash}`);
}

const choose = (...files: Upload[]): Promise<void> => page.locator('main input[type=file]').first().setInputFiles(files);
const tile = (label: string | RegExp): Promise<string> => page.locator('.tile').filter({ hasText: label }).locator('dd').innerText();
const measured = (): Promise<void> => page.getByText(/forms can hold it/).waitFor();
const section = (name: string) => page.getByRole('region', { name, exact: true });
const ways = (): Promise<string[]> => section('Times of each way').locator('.measures-name').allInnerTexts();

/** A container with the schema, as avsc writes it. */
async function container(): Promise<Buffer> {
  const encoder = new avro.streams.BlockEncoder(
    avro.Type.forSchema({
      type: 'record',
      name: 'Stop',
      fields: Object.entries({ id: 'int', name: 'string', lat: 'double', open: 'boolean' } as const).map(([name, type]) => ({ name, type })),
    }),
  );
  for (const stop of stops) encoder.write(stop);
  encoder.end();
  const chunks: Buffer[] = [];
  for await (const chunk of encoder) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

const table = (): Uint8Array =>
  tableToIPC(
    tableFromArrays({
      id: Int32Array.from(stops, ({ id }) => id),
      name: stops.map(({ name }) => name),
      lat: Float64Array.from(stops, ({ lat }) => lat),
    }),
    'stream',
  );
const message = (): Uint8Array => protobufjs.parse(PROTO).root.lookupType('town.Stops').encode({ stops }).finish();

describe('the playground', () => {
  it.each<[name: string, files: () => Upload[] | Promise<Upload[]>, label: string, ways: string[]]>([
    ['JSON', () => [file('stops.json', json)], 'JSON', ['JSON.parse', 'JSON.parse in a worker', 'Unspool, refetch']],
    [
      'newline-delimited JSON',
      () => [file('a', stops.map((stop) => JSON.stringify(stop)).join('\n'))],
      'JSON, sequence',
      ['JSON.parse', 'Unspool, rows'],
    ],
    ['compressed JSON', () => [file('stops.json.gz', gzipSync(json))], 'JSON', ['JSON.parse', 'Unspool, rows']],
    ['MessagePack', () => [file('a.bin', pack({ stops }))], 'MessagePack', ['msgpackr', 'Unspool, pick', 'Unspool, refetch']],
    ['CBOR', () => [file('a.bin', encodeCbor({ stops }))], 'CBOR', ['cbor-x', 'Unspool, columns', 'Unspool, refetch']],
    ['BSON', () => [file('a.bin', serialize({ stops }))], 'BSON', ['bson', 'Unspool, refetch']],
    ['a container of Avro', async () => [file('stops.avro', await container())], 'Avro', ['avsc', 'Unspool, objects', 'Unspool, rows']],
    ['Arrow', () => [file('stops.arrow', table())], 'Apache Arrow', ['Flechette', 'Unspool, columns']],
    [
      'Protocol Buffers with a schema',
      () => [file('stops.proto', PROTO), file('stops.pb', message())],
      'Protocol Buffers',
      ['protobuf.js', 'Unspool, objects'],
    ],
  ])('says what a file of %s is, how it reads, and what it would be in other formats', async (_, files, label, expected) => {
    await open();
    await choose(...(await files()));
    if (label === 'Protocol Buffers') await page.getByRole('combobox', { name: 'Type of the payload' }).selectOption('town.Stops');
    await measured();
    expect(await page.locator('.tile dd').first().innerText()).toBe(label);
    expect(await tile('Records')).toBe('300');
    await page.getByRole('treeitem').first().waitFor();
    expect(await ways()).toEqual(expect.arrayContaining(expected));
    // A library that generates code cannot be measured here.
    const reasons = ['Avro', 'Protocol Buffers'].includes(label) ? [expect.stringContaining('security policy forbids')] : [];
    expect(await section('Times of each way').locator('.measures-text').allInnerTexts()).toEqual(reasons);
    expect(await section('Inferred type').innerText()).toMatch(/id: number;/);
    const forms = await section('Sizes and times of each format').getByRole('row').count();
    expect(forms).toBeGreaterThan(10);
    expect(await section('Code').innerText()).toContain("from 'unspool'");
    // The package bson tries WebAssembly, and does without where the policy forbids it.
    expect(visit.complaints).toEqual(label === 'BSON' ? ['script-src'] : []);
  });

  it('takes the schema and the type by which a payload can be read, wherever its name may mislead', async () => {
    await open();
    // `Single` is the first type of this schema that no other names.
    const bop = 'struct Single { string[] tracks; } struct Song { string title; uint16 year; } struct Library { Song[] songs; }';
    const songs = Buffer.from('0200000003000000616263d0070100000064d107', 'hex');
    await choose(file('jazz.bop', bop), file('library.bin', songs));
    await expect.poll(() => page.getByRole('combobox', { name: 'Type of the payload' }).inputValue()).toBe('Library');
    await measured();
    expect(await tile('Records')).toBe('2');
    // As a FileDescriptorSet, the bytes of these trips define a message.
    const proto = `syntax = "proto3"; message Trips { repeated Trip trips = 1; }
      message Trip { string name = 1; repeated Stop stops = 4; } message Stop { string name = 1; }`;
    const trips = { trips: [{ name: 'Zurich', stops: [{ name: 'Basel' }, { name: 'Olten' }] }] };
    await choose(file('trips.proto', proto), file('trips.pb', protobufjs.parse(proto).root.lookupType('Trips').encode(trips).finish()));
    await expect.poll(() => page.getByRole('combobox', { name: 'Type of the payload' }).inputValue()).toBe('Trips');
    await measured();
    expect(await page.getByRole('combobox', { name: 'Schema' }).inputValue()).toBe('trips.proto');
    // JSON needs no schema.
    await choose(file('trips.proto', proto), file('trips.json', JSON.stringify(trips)));
    await expect.poll(() => page.locator('.tile dd').first().innerText()).toBe('JSON');
    expect(await page.getByRole('combobox', { name: 'Schema' }).inputValue()).toBe('');
    expect(visit.complaints).toEqual([]);
  });

  it('makes no request but for its own files, and none at all without a network', async () => {
    await visit.end();
    visit = await visitDemo(site, { serviceWorkers: 'allow' });
    ({ page } = visit);
    await open();
    await page.waitForFunction(() => navigator.serviceWorker.controller !== null);
    const requests: string[] = [];
    page.on('request', (request) => requests.push(`${request.method()} ${request.url().replace(site.url, '/')} ${request.postData() ?? ''}`));
    await choose(file('stops.cbor', encodeCbor({ stops })));
    await measured();
    // Scripts and pages of the demo, without a query, which could carry something.
    expect(requests.filter((request) => !/^GET \/(?:assets\/[\w-]+\.\w+|lane\.html) $/.test(request))).toEqual([]);
    await page.context().setOffline(true);
    await choose(file('secret.msgpack', pack({ stops })));
    await expect.poll(() => page.locator('.tile dd').first().innerText()).toBe('MessagePack');
    await measured();
    expect(visit.complaints).toEqual([]);
    // The policy forbids what the page does not do.
    const blocked = await page.evaluate(() => fetch('https://elsewhere.test/?secret').then(String, (error: unknown) => String(error)));
    expect(blocked).toContain('Failed to fetch');
    expect(visit.complaints.join(' ')).toContain('connect-src');
    await visit.end();
    visit = await visitDemo(site);
    ({ page } = visit);
  });

  it('opens what is pasted: JSON, hexadecimal, base64', async () => {
    await open();
    for (const [text, label] of [
      ['{"a": [1, 2, 3]}', 'JSON'],
      [Buffer.from(encodeCbor({ a: [1, 2, 3] })).toString('hex'), 'CBOR'],
      [Buffer.from(pack({ a: [1, 2, 3] })).toString('base64'), 'MessagePack'],
    ] as const) {
      await page.getByRole('textbox', { name: /Paste JSON/ }).fill(text);
      await page.getByRole('button', { name: 'Open text' }).click();
      await expect.poll(() => page.locator('.tile dd').first().innerText()).toBe(label);
    }
    await page.getByRole('textbox', { name: /Paste JSON/ }).fill('');
    await page.getByRole('button', { name: 'Open text' }).click();
    await page.getByText('The text is empty: paste JSON, hexadecimal or base64.').waitFor();
  });

  it('opens the files and texts that a page of its origin around its frame passes on', async () => {
    await page.goto(`${site.url}playground`);
    await page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.src = '/playground?embedded';
      document.body.replaceChildren(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve));
      frame.contentWindow!.postMessage({ files: [new File(['{"stops":[1,2,3]}'], 'passed-on.json')] }, location.origin);
    });
    const inside = page.frameLocator('iframe');
    await inside.getByText('passed-on.json').first().waitFor();
    await page.evaluate(() => document.querySelector('iframe')!.contentWindow!.postMessage({ text: '{"written":true}' }, location.origin));
    await inside.getByText('pasted text').first().waitFor();
  });

  it('fetches the address that was typed, of any server that allows it, and says why it cannot', async () => {
    const other = http.createServer((request, response) => {
      if (request.url === '/open') response.setHeader('Access-Control-Allow-Origin', '*');
      response.end(encodeCbor({ stops }));
    });
    await new Promise<void>((resolve) => void other.listen(0, '127.0.0.1', resolve));
    const address = `http://127.0.0.1:${(other.address() as AddressInfo).port}`;
    await open();
    const type = async (url: string): Promise<void> => {
      await page.getByRole('textbox', { name: 'Fetch an address' }).fill(url);
      await page.getByRole('button', { name: 'Fetch' }).click();
    };
    await type(`${address}/open`);
    await measured();
    expect(await page.locator('.tile dd').first().innerText()).toBe('CBOR');
    expect(visit.complaints).toEqual([]);
    await type(`${address}/closed`);
    await page.getByText('127.0.0.1 must be reachable, and allow other pages to read it (CORS).').waitFor();
    await type('/payload?format=bson&rows=200');
    await expect.poll(() => page.locator('.tile dd').first().innerText()).toBe('BSON');
    await type('ftp://elsewhere.test');
    await page.getByText('ftp://elsewhere.test is no address: begin with https:// or /.').waitFor();
    await new Promise((resolve) => other.close(resolve));
  });

  it('restores settings and a sample from a link, by the keyboard alone, and no data of a file', async () => {
    await open('#as=rows&code=node&sample=trips-protobuf');
    await section('Code').waitFor();
    expect(await section('Code').innerText()).toContain("as: 'rows'");
    expect(await section('Code').innerText()).toContain("readFileSync('trips.proto', 'utf8')");
    await page.getByRole('radio', { name: 'Node' }).press('ArrowLeft');
    await expect.poll(() => section('Code').innerText()).toContain('express');
    expect(new URL(page.url()).hash).toBe('#as=rows&code=express&sample=trips-protobuf');
    await choose(file('private.json', json));
    await expect.poll(() => new URL(page.url()).hash).toBe('#as=rows&code=express');
  });

  it('says what is wrong with a file, and opens the next one', async () => {
    await open();
    await choose(file('cut.json', json.subarray(0, -20)));
    await page
      .getByText(/byte [\d,]+/)
      .first()
      .waitFor();
    await choose(file('unknown.bin', Buffer.from([0xde, 0xad, 0xbe, 0xef, 1, 2, 3])));
    await page.getByRole('alert').filter({ hasText: 'No format was recognised' }).waitFor();
    await page.getByRole('textbox', { name: 'Paste JSON' }).fill('{"stops": [1, tru]}');
    await page.getByRole('button', { name: 'Open text' }).click();
    await page.getByRole('alert').filter({ hasText: 'No format was recognised' }).waitFor();
    await choose(file('stops.json', json));
    await measured();
    expect(visit.complaints).toEqual([]);
  });

  it('shows the beginning of a large file, and measures it on request only', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'unspool-playground-'));
    const many = Array.from({ length: 500_000 }, (_, id) => `{"id":${id},"name":"A station with the number ${id}","lat":${id / 7}}`);
    const path = join(folder, 'large.json');
    await writeFile(path, `{"stations":[${many.join(',')}]}`);
    await open();
    await page.locator('main input[type=file]').first().setInputFiles(path);
    await page.getByRole('button', { name: 'Measure it' }).waitFor();
    expect(await page.locator('.tile dd').first().innerText()).toBe('JSON');
    expect(Number((await tile('Records shown')).replaceAll(',', ''))).toBeGreaterThan(10_000);
    await page.getByRole('button', { name: 'Measure it' }).click();
    await expect.poll(() => section('Times of each way').locator('.measures-figure').nth(2).innerText()).toMatch(/ms$/);
    await rm(folder, { recursive: true });
  });
});
