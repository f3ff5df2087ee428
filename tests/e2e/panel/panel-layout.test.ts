import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession({ complains: true, prepare: ({ fetchAll }) => fetchAll('/trips.msgpack', '/status.json', '/words.json', '/person.pb') });

interface Measures {
  rows: number;
  /** Rows that truncate a value although there is space. */
  cutForNothing: string[];
  tree: DOMRect;
  bytes: DOMRect | undefined;
  panel: DOMRect;
}

const measure = (): Promise<Measures> =>
  session.panel.evaluate(() => {
    const tree = document.querySelector('.tree')!.getBoundingClientRect();
    const rows = Array.from(document.querySelectorAll<HTMLElement>('.tree-row')).filter(
      (row) => row.getBoundingClientRect().bottom <= tree.bottom + 1,
    );
    const cutForNothing = rows
      .filter((row) => {
        const value = row.querySelector<HTMLElement>('.value')!;
        const type = row.querySelector<HTMLElement>('.encoding')!;
        const used = Array.from(row.children).reduce((sum, part) => sum + part.getBoundingClientRect().width, 0);
        const isFree = type.clientWidth > 16 || row.clientWidth - used - Number.parseFloat(getComputedStyle(row).paddingLeft) > 12;
        return value.scrollWidth > value.clientWidth + 1 && isFree;
      })
      .map((row) => row.textContent);
    return {
      rows: rows.length,
      cutForNothing,
      tree,
      bytes: document.querySelector('.hex')?.getBoundingClientRect(),
      panel: document.querySelector('.app')!.getBoundingClientRect(),
    };
  });

async function show(width: number, height: number, name: string): Promise<Measures> {
  const { devtools, open, panel } = session;
  await devtools.setViewportSize({ width, height });
  await open(name);
  await panel.locator('.tree-row').first().waitFor();
  // Waits two more frames for the layout to settle.
  const frames = (): Promise<unknown> => panel.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  await frames();
  let measured = await measure();
  for (let before: Measures | undefined; JSON.stringify(before) !== JSON.stringify(measured);) {
    before = measured;
    await frames();
    measured = await measure();
  }
  return measured;
}

describe("the panel's layout", () => {
  test.each([
    [1_400, 800],
    [800, 700],
    [500, 800],
    [400, 700],
    [1_400, 300],
  ])('truncates no value while there is space, in %d by %d pixels', async (width, height) => {
    for (const name of ['words.json', 'trips.msgpack', 'status.json', 'person.pb']) {
      const { cutForNothing } = await show(width, height, name);
      expect(cutForNothing, name).toEqual([]);
    }
  });
});

describe('the view of the bytes', () => {
  test('adjoins the tree in a wide panel, without unused space', async () => {
    const { tree, bytes, panel } = await show(1_400, 800, 'trips.msgpack');
    expect(bytes!.left).toBeGreaterThanOrEqual(tree.right);
    expect(bytes!.right).toBeCloseTo(panel.right, -1);
    expect(tree.width).toBeGreaterThan(500);
    expect(bytes!.width).toBeLessThan(400);
  });

  test.each([400, 500])('is below the tree in %d pixels', async (width) => {
    const { tree, bytes } = await show(width, 900, 'trips.msgpack');
    expect(bytes!.top).toBeGreaterThanOrEqual(tree.bottom);
    expect(bytes!.width).toBe(tree.width);
    expect(tree.height).toBeGreaterThan(120);
  });

  test('stays hidden after a reload', async () => {
    const { panel, reload, fetchAll, open } = session;
    await show(1_400, 800, 'trips.msgpack');
    const button = panel.getByRole('button', { name: 'Bytes', exact: true });
    await button.click();
    await expect.poll(() => panel.locator('.hex').count()).toBe(0);
    await reload();
    await fetchAll('/trips.msgpack');
    await open('trips.msgpack');
    await panel.locator('.tree-row').first().waitFor();
    expect(await panel.locator('.hex').count()).toBe(0);
    await button.click();
    await expect.poll(() => panel.locator('.hex').count()).toBe(1);
  });
});

test('a panel with a height of 300 pixels shows at least eight rows', async () => {
  expect((await show(1_400, 330, 'trips.msgpack')).rows).toBeGreaterThanOrEqual(8);
});

test('a request stays in view when its details open below the list', async () => {
  const { devtools, panel, rows, fetchAll } = session;
  await devtools.setViewportSize({ width: 500, height: 800 });
  const close = panel.getByRole('button', { name: 'Close', exact: true });
  if (await close.isVisible()) await close.click();
  await fetchAll(...Array.from({ length: 20 }, (_, index) => `/status.json?${index}`));
  const last = rows('status.json?19');
  await last.click();
  await panel.locator('.tree-row').first().waitFor();
  const list = panel.locator('.requests');
  await expect
    .poll(async () => {
      const [row, room] = await Promise.all([last.boundingBox(), list.boundingBox()]);
      return row !== null && row.y >= room!.y && row.y + row.height <= room!.y + room!.height + 1;
    })
    .toBe(true);
});

test('the tooltip of a long string contains all of it', async () => {
  const { panel } = session;
  await show(800, 700, 'words.json');
  const value = panel.locator('.tree-row', { hasText: 'long' }).locator('.value').first();
  await value.hover();
  expect((await value.getAttribute('title'))!.length).toBe(900);
});

test('the type column shows the field of the schema', async () => {
  const { panel } = session;
  const proto =
    'syntax = "proto3"; message Person { string name = 1; int32 id = 2; Place place = 3; bytes raw = 4; message Place { int32 x = 1; repeated int32 y = 2; } }';
  await show(1_400, 800, 'person.pb');
  expect(await panel.locator('.tree-row', { hasText: 'Alice' }).locator('.encoding').innerText()).toBe('field 1, len');
  await panel.locator('.toolbar input[type=file]').setInputFiles({ name: 'person.proto', mimeType: 'text/plain', buffer: Buffer.from(proto) });
  await panel.getByRole('button', { name: 'Apply' }).click();
  await expect
    .poll(() => panel.locator('.tree-row .encoding').allInnerTexts())
    .toEqual([
      'Person',
      'string name = 1',
      'int32 id = 2',
      'Person.Place place = 3',
      'int32 x = 1',
      'repeated int32 y = 2',
      'int32',
      'bytes raw = 4',
    ]);
  expect(await panel.locator('.tree-row', { hasText: 'Alice' }).locator('.encoding').getAttribute('title')).toBe(
    'field 1, len · Person: string name = 1',
  );
});

test.each([
  [1_400, 800],
  [800, 700],
  [500, 800],
  [400, 700],
  [1_400, 330],
])('all parts of the form to send again are reachable in %d by %d pixels', async (width, height) => {
  const { devtools, panel, open, tab } = session;
  await devtools.setViewportSize({ width, height });
  await open('status.json');
  await tab('Send again');
  const send = panel.getByRole('button', { name: 'Send…' });
  await send.scrollIntoViewIfNeeded();
  const wide = await panel.locator('.resend').evaluate((form) => form.scrollWidth - form.clientWidth);
  expect(wide).toBe(0);
  await send.click();
  const dialog = panel.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Send GET' }).scrollIntoViewIfNeeded();
  const box = (await dialog.boundingBox())!;
  expect(box.x).toBeGreaterThanOrEqual(0);
  expect(box.x + box.width).toBeLessThanOrEqual(width);
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await tab('Tree and bytes');
});
