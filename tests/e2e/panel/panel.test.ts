import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession({
  prepare: ({ fetchAll }) => fetchAll('/trips.msgpack', '/records.bin', '/stations.cbor', '/status.json', '/person.pb', '/broken.msgpack'),
});

describe('the tree and the bytes', () => {
  test('highlight the bytes of a value and find the value of a byte', async () => {
    const { panel, open } = session;
    await open('person.pb');
    await panel.locator('.tree-row', { hasText: 'Alice' }).click();
    const tinted = async (name: string): Promise<string[]> =>
      (await panel.locator(`.hex-bytes .tint-${name}`).allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' '));
    expect(await tinted('key')).toEqual(['0a']);
    expect(await tinted('length')).toEqual(['05']);
    expect(await tinted('payload')).toEqual(['41 6c 69 63 65']);
    const cell = panel.locator('.hex-bytes').first();
    const box = (await cell.boundingBox())!;
    const text = await cell.innerText();
    await cell.click({ position: { x: (box.width / text.length) * (text.indexOf('10 ') + 0.5), y: 8 } });
    await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$["2"]');
  });

  test('support the keyboard', async () => {
    const { panel, open } = session;
    await open('status.json');
    const tree = panel.getByRole('tree');
    await tree.focus();
    const active = (): Promise<string | null> => panel.locator('[role=treeitem][aria-selected=true]').textContent();
    await tree.press('Home');
    await tree.press('ArrowDown');
    await tree.press('ArrowDown');
    expect(await active()).toContain('count');
    await tree.press('ArrowDown');
    expect(await active()).toContain('tags');
    const before = await panel.locator('.tree-row').count();
    await tree.press('ArrowLeft');
    await expect.poll(() => panel.locator('.tree-row').count()).toBe(before - 2);
    await tree.press('ArrowRight');
    await tree.press('ArrowRight');
    expect(await active()).toContain('"a"');
    await tree.press('ArrowLeft');
    expect(await active()).toContain('tags');
  });

  test('show the position of an error and the values before it', async () => {
    const { panel, open } = session;
    await open('broken.msgpack');
    expect(await panel.getByRole('alert').innerText()).toMatch(/Broken at byte 1,777 \(0x06f1\)\s+the input ends inside a value/);
    expect(await panel.locator('.hex-bytes .is-error').count()).toBe(1);
    expect(await panel.locator('.tree-row').count()).toBeGreaterThan(5);
  });

  test.each([
    ['all', 'R0000001eef', '1 found', '$[1].ride_id'],
    ['keys', 'distance', '2,000 found', '$[0].distance'],
    ['values', 'w 21 st', '29 found', '$[1].start_station'],
    ['types', 'uint 16', '1,937 found', '$[7].distance'],
    ['hex', 'cb 40 44 59 99', '2 found', '$[0].lat'],
  ])('find text, values and bytes in %s', async (where, text, count, path) => {
    const { panel, open } = session;
    await open('trips.msgpack');
    await panel.getByLabel('Search in', { exact: true }).selectOption(where);
    await panel.getByLabel('Search in the value').fill(text);
    await expect.poll(() => panel.locator('.search-count').innerText()).toBe(count);
    await panel.getByLabel('Search in the value').press('Enter');
    expect(await panel.locator('.inspector-path').innerText()).toBe(path);
    await panel.getByLabel('Previous').click();
    await panel.getByLabel('Next').click();
    expect(await panel.locator('.inspector-path').innerText()).toBe(path);
    await panel.getByLabel('Search in the value').fill('');
  });

  test('copy the selection', async () => {
    const { panel, open, clipboard } = session;
    await open('person.pb');
    await panel.locator('.tree-row', { hasText: 'Alice' }).click();
    const copied = async (form: string): Promise<string> => {
      await panel.getByRole('button', { name: 'Copy the selected value' }).click();
      await panel.getByRole('menuitem', { name: form, exact: true }).click();
      await expect.poll(() => panel.locator('[role=status]').last().innerText()).toMatch(/copied\.$/);
      return clipboard();
    };
    expect(await copied('Value as JSON')).toBe('"Alice"');
    expect(await copied('Path')).toBe('$["1"]');
  });

  test('save the body to a file', async () => {
    const { devtools, panel, open } = session;
    await open('person.pb');
    const download = devtools.waitForEvent('download');
    await panel.getByRole('button', { name: 'Save the body' }).click();
    await panel.getByRole('menuitem', { name: 'Bytes' }).click();
    expect((await download).suggestedFilename()).toBe('person.pb');
  });
});

describe('the views', () => {
  test('show a table with a row for each record', async () => {
    const { panel, open, tab } = session;
    await open('trips.msgpack');
    await tab('Table');
    expect(await panel.getByText('2,000 rows, 10 columns').count()).toBe(1);
    expect(await panel.locator('.table-row').nth(2).innerText()).toContain('classic_bike');
  });

  test('show sizes that add up to the body', async () => {
    const { panel, tab } = session;
    await tab('Size');
    await panel.locator('.size-view table').waitFor();
    const text = await panel.locator('.size-view .view-bar .muted').innerText();
    const [, sum, total] = /([\d,]+) of ([\d,]+) bytes/.exec(text)!;
    expect(sum).toBe(total);
  });

  test('show the size in other formats', async () => {
    const { panel, tab } = session;
    await tab('What if');
    await panel.locator('.what-if table').waitFor();
    await expect.poll(() => panel.locator('.what-if tbody tr').count()).toBe(14);
    expect(await panel.locator('.what-if').innerText()).not.toContain('cannot represent');
  });

  test('compare two responses', async () => {
    const { panel, open, tab } = session;
    await open('person.pb');
    await tab('Compare');
    await panel.getByText('Compare others with this').click();
    await open('status.json');
    await expect.poll(() => panel.locator('.diff caption').innerText()).toMatch(/differences$/);
    await tab('Tree and bytes');
  });

  test('explain that a page without the library has no timings', async () => {
    const { panel, tab } = session;
    await tab('Timing');
    await panel.getByText('No decode reported for this request').waitFor();
    await tab('Tree and bytes');
  });
});

describe('an opened schema', () => {
  const proto =
    'syntax = "proto3"; package test; message Person { string name = 1; int32 id = 2; Place place = 3; bytes raw = 4; message Place { int32 x = 1; int32 y = 2; } }';

  test('names the fields, also after a reload of the panel', async () => {
    const { panel, rows, fetchAll, open, reload } = session;
    await open('person.pb');
    await panel.locator('.toolbar input[type=file]').setInputFiles({ name: 'person.proto', mimeType: 'text/plain', buffer: Buffer.from(proto) });
    await panel.getByRole('button', { name: 'Apply' }).click();
    await expect.poll(() => panel.locator('.tree').textContent()).toContain('name: "Alice"');
    await reload();
    await fetchAll('/person.pb');
    await expect.poll(() => rows('person.pb').count()).toBeGreaterThan(0);
    await open('person.pb');
    await expect.poll(() => panel.locator('.tree').textContent()).toContain('name: "Alice"');
  });
});
