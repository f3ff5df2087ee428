import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createTripSource } from '../../../demo/server/data/trips.mjs';
import { encodeRows } from '../../../demo/server/encode.mjs';
import { REPOSITORY } from '../../setup/sources/imports.ts';
import { panelSession } from '../../setup/panel/panel-session.ts';

const RIDE = createTripSource(1).take(1)[0]!.ride_id;

const session = panelSession();

const schemaFile = (name: string): Promise<Buffer> => readFile(join(REPOSITORY, 'demo/server/schemas', name));
const encode = (format: string): string =>
  Buffer.from(encodeRows(format, createTripSource(1).rows(3), { key: 'trips', count: 3, dataset: 'trips' })).toString('base64');
const treeText = (): Promise<string | null> => session.panel.locator('.tree').textContent();

/**
 * Posts bytes from the page, which are echoed, and decodes them with the library. A string, since the test runner would
 * rewrite the `import()` of a function.
 */
function decodeOnPage(path: string, format: string, base64: string, schema: string): Promise<unknown> {
  return session.page.evaluate(`(async () => {
    const bytesOf = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
    const { createDecoder } = await import('/dist/index.js');
    const decoder = createDecoder({ schemas: { trips: { format: ${JSON.stringify(format)}, schema: ${schema} } } });
    const response = await fetch(${JSON.stringify(path)}, { method: 'POST', headers: { 'content-type': 'application/octet-stream' }, body: bytesOf(${JSON.stringify(base64)}) });
    const { trips } = await decoder.decode(response, { format: ${JSON.stringify(format)}, schema: 'trips' });
    (globalThis.kept ??= []).push(decoder);
    return trips.length;
  })()`);
}

describe('the schemas of a page that decodes with the library', () => {
  test('apply automatically, and determine the format in the list', async () => {
    const { open, panel, rows } = session;
    const bop = JSON.stringify((await schemaFile('trips.bop')).toString());
    expect(await decodeOnPage('/echo?bebop', 'bebop', encode('bebop'), `{ bop: ${bop}, record: 'Trips' }`)).toBe(3);
    await expect.poll(() => rows('echo?bebop').count()).toBe(1);
    await open('echo?bebop');
    await expect.poll(treeText).toContain(RIDE);
    expect(await panel.locator('.detail-facts').innerText()).toContain('schema trips, from the page');
    // The library reports small decodes only after the first reading.
    expect(await decodeOnPage('/echo?again', 'bebop', encode('bebop'), `{ bop: ${bop}, record: 'Trips' }`)).toBe(3);
    await expect.poll(() => rows('echo?again').first().locator('[role=gridcell]').nth(2).innerText()).toBe('bebop');
  });

  test('include binary schemas', async () => {
    const { open } = session;
    const bfbs = (await schemaFile('trips.bfbs')).toString('base64');
    expect(await decodeOnPage('/echo?flatbuffers', 'flatbuffers', encode('flatbuffers'), `{ bfbs: bytesOf(${JSON.stringify(bfbs)}) }`)).toBe(3);
    await session.formatOf('echo?flatbuffers');
    await open('echo?flatbuffers');
    await expect.poll(treeText).toContain(RIDE);
  });
});

describe('a dropped schema', () => {
  test('applies to its addresses, also after a reload of the panel', async () => {
    const { open, page, panel, reload, rows } = session;
    const post = (): Promise<void> =>
      page.evaluate(async (text) => {
        const body = Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
        await (await fetch('/echo?dropped', { method: 'POST', body })).arrayBuffer();
      }, encode('capnproto'));
    await post();
    await expect.poll(() => rows('echo?dropped').count()).toBe(1);
    await open('echo?dropped');
    await panel
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'trips.request', mimeType: '', buffer: await schemaFile('trips.capnp.request') });
    const types = panel.locator('.schemas select').nth(1);
    await types.waitFor();
    await types.selectOption('Trips');
    await panel.locator('.schema-pattern').fill('/echo?dropped');
    await panel.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(treeText).toContain(RIDE);

    await reload();
    await post();
    await expect.poll(() => rows('echo?dropped').count()).toBeGreaterThan(0);
    await open('echo?dropped');
    await expect.poll(treeText).toContain(RIDE);
    expect(await panel.locator('.detail-facts').innerText()).toContain('schema trips.request: Trips');
  });
});

test('“What if” has a row for each format, whose encoders run under the policy of the extension', async () => {
  const { fetchAll, open, panel, rows, tab } = session;
  await fetchAll('/status.json');
  await expect.poll(() => rows('status.json').count()).toBe(1);
  await open('status.json');
  await tab('What if');
  await expect.poll(() => panel.locator('.what-if tbody tr').count()).toBe(14);
  expect(await panel.locator('.what-if').innerText()).not.toContain('cannot represent');
});
