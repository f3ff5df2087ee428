import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { beforeAll, describe, expect, test } from 'vitest';
import { type PanelSession, panelSession } from '../../setup/panel/panel-session.ts';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const VIEWS = ['Tree and bytes', 'Text', 'Table', 'Size', 'What if', 'Compare', 'Headers', 'Timing', 'Send again'];

const session = panelSession({ complains: true });

/** Describes the violations that axe finds: of all rules in the light theme, of contrast in the dark one. */
function violations(): Promise<string[]> {
  return session.panel.evaluate(async () => {
    const { axe } = globalThis as unknown as {
      axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }> };
    };
    const light = await axe.run({ resultTypes: ['violations'] });
    const root = document.querySelector<HTMLElement>('[data-theme]')!;
    root.dataset['theme'] = 'dark';
    const dark = await axe.run({ resultTypes: ['violations'], runOnly: ['color-contrast'] });
    root.dataset['theme'] = 'light';
    return [...light.violations, ...dark.violations].map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)} ${nodes[0]!.failureSummary}`);
  });
}

/** Lightness of the background, from 0 to 255. */
async function ground({ panel }: PanelSession): Promise<number> {
  const color = await panel.evaluate(() => getComputedStyle(document.body).backgroundColor);
  return Math.max(...color.match(/\d+/g)!.map(Number));
}

test('an empty panel shows instructions', async () => {
  const { panel } = session;
  await panel.getByText('No requests yet').waitFor();
  await panel.evaluate(axe);
  expect(await violations()).toEqual([]);
});

describe('keyboard navigation', () => {
  beforeAll(async () => {
    await session.fetchAll('/trips.msgpack', '/status.json');
    await session.panel.locator('.chip').nth(1).waitFor();
  });

  interface Stop {
    name: string;
    isShown: boolean;
  }

  /** The focused element, and whether its focus is visible. */
  const stop = (): Promise<Stop | undefined> =>
    session.panel.evaluate(() => {
      const focused = document.activeElement as HTMLElement | null;
      if (!focused || focused === document.body || !document.hasFocus()) return undefined;
      const seen = focused.matches('.strip-choice > input') ? (focused.nextElementSibling as HTMLElement) : focused;
      const { outlineStyle, outlineWidth } = getComputedStyle(seen);
      const name = focused.getAttribute('aria-label') ?? focused.closest('label')?.textContent ?? focused.textContent;
      return { name: name.trim(), isShown: outlineStyle !== 'none' && Number.parseFloat(outlineWidth) >= 1 };
    });

  /** Presses Tab until the focus leaves the panel. */
  async function walk(): Promise<Stop[]> {
    const stops: Stop[] = [];
    for (let at = await stop(); at && stops.length < 60; at = await stop()) {
      stops.push(at);
      await session.devtools.keyboard.press('Tab');
    }
    return stops;
  }

  test('reaches every control and shows the focus', async () => {
    const { panel } = session;
    const list = panel.getByRole('grid', { name: 'Requests' });
    await list.focus();
    await list.press('End');
    await panel.locator('.tree-row').first().waitFor();
    await panel.getByPlaceholder('Filter').focus();
    const stops = await walk();
    expect(stops.filter(({ isShown }) => !isShown)).toEqual([]);
    expect(stops.map(({ name }) => name)).toEqual([
      'Filter requests by name, URL or property',
      'Data',
      'Format to show',
      'Preserve log',
      'Session',
      'Schemas',
      'Open file…',
      'Clear',
      'Requests',
      'Name',
      'Width of the list',
      'Close',
      'Format',
      'Tree and bytes',
      'Search in the value',
      'Regular expression',
      'Search in',
      'Bytes',
      'Value',
      'Copy the selected value',
      'Save the body',
      'Decoded value',
      'Width of the tree',
      'Bytes',
      'Go to an offset',
      'Numbers',
    ]);
  });

  test('selects a request, moves through its tree, and changes its views', async () => {
    const { panel, devtools } = session;
    const list = panel.getByRole('grid', { name: 'Requests' });
    await list.focus();
    await list.press('Home');
    await expect.poll(() => panel.locator('.detail-title h2').innerText()).toBe('trips.msgpack');
    await expect.poll(() => list.getAttribute('aria-activedescendant')).not.toBeNull();
    const tree = panel.getByRole('tree');
    await tree.focus();
    for (const key of ['Home', 'ArrowDown', 'ArrowRight', 'ArrowRight']) await devtools.keyboard.press(key);
    await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$[0].ride_id');
    const active = panel.locator(`#${await tree.getAttribute('aria-activedescendant')}`);
    expect(await active.getAttribute('aria-level')).toBe('3');
    expect(await active.getAttribute('aria-setsize')).toBe('10');
    expect(await active.getAttribute('aria-posinset')).toBe('1');
    await panel.getByRole('grid', { name: 'Bytes' }).focus();
    await devtools.keyboard.press('Home');
    await devtools.keyboard.press('ArrowRight');
    await expect.poll(() => panel.locator('.hex-bytes .is-cursor').count()).toBe(1);
    await panel.getByRole('tab', { name: 'Tree and bytes' }).focus();
    await devtools.keyboard.press('ArrowRight');
    await devtools.keyboard.press('ArrowRight');
    const table = panel.getByRole('grid', { name: /^Table of/ });
    await expect.poll(() => table.getAttribute('aria-rowcount')).toBe('2001');
    await table.focus();
    await devtools.keyboard.press('End');
    await expect.poll(() => table.getAttribute('aria-activedescendant')).toBe('record-1999');
    await devtools.keyboard.press('Enter');
    await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$[1999]');
  });

  test('announces counts of rows and columns to screen readers', async () => {
    const { panel, tab } = session;
    const list = panel.getByRole('grid', { name: 'Requests' });
    expect(await list.getAttribute('aria-rowcount')).toBe('3');
    expect(await list.getAttribute('aria-colcount')).toBe(String(await list.getByRole('columnheader').count()));
    expect(await list.locator('[role=row]').evaluateAll((rows) => rows.map((row) => row.getAttribute('aria-rowindex')))).toEqual(['1', '2', '3']);
    await tab('Table');
    expect(await panel.getByRole('grid', { name: /^Table of/ }).getAttribute('aria-rowcount')).toBe('2001');
    await tab('Tree and bytes');
  });

  test('keeps the layout and the settings after a reload', async () => {
    const { panel, devtools, reload } = session;
    const line = panel.getByRole('separator', { name: 'Width of the list' });
    await line.focus();
    for (let i = 0; i < 4; i += 1) await devtools.keyboard.press('ArrowRight');
    await panel.getByRole('radio', { name: 'Binary', exact: true }).check();
    const width = await line.getAttribute('aria-valuenow');
    await reload();
    // The list has the whole width until a request is chosen.
    const list = panel.getByRole('grid', { name: 'Requests' });
    await list.focus();
    await list.press('Home');
    expect(await line.getAttribute('aria-valuenow')).toBe(width);
    expect(await panel.getByRole('radio', { name: 'Binary', exact: true }).isChecked()).toBe(true);
    await panel.getByRole('radio', { name: 'Data', exact: true }).check();
  });
});

describe('every view', () => {
  test('is accessible in both themes', async () => {
    const { panel, fetchAll, open, tab, rows } = session;
    await panel.evaluate(axe);
    await fetchAll('/broken.msgpack', '/missing');
    await open('trips.msgpack');
    for (const name of VIEWS) {
      await tab(name);
      if (name === 'Size' || name === 'What if') await panel.locator('.sizes').waitFor();
      expect(await violations(), name).toEqual([]);
    }
    await panel.getByRole('button', { name: 'Send…' }).click();
    await panel.getByRole('dialog').waitFor();
    expect(await violations(), 'confirmation').toEqual([]);
    await panel.getByRole('button', { name: 'Cancel' }).click();
    await tab('Compare');
    await panel.getByRole('button', { name: 'Compare others with this' }).click();
    await open('status.json');
    await panel.locator('.diff caption').waitFor();
    expect(await violations(), 'differences').toEqual([]);
    await tab('Tree and bytes');
    await panel.getByRole('button', { name: 'Value', exact: true }).click();
    await panel.getByRole('button', { name: 'Numbers' }).click();
    expect(await violations(), 'value').toEqual([]);
    await panel.getByRole('button', { name: 'Value', exact: true }).click();
    await open('broken.msgpack');
    expect(await violations(), 'broken').toEqual([]);
    await panel.getByRole('button', { name: 'Schemas', exact: true }).click();
    expect(await violations(), 'schemas').toEqual([]);
    await panel.getByRole('button', { name: 'Schemas', exact: true }).click();
    await panel.getByRole('button', { name: 'Session' }).click();
    expect(await violations(), 'session').toEqual([]);
    await panel.getByRole('button', { name: 'Session' }).click();
    await rows('missing').first().click();
    expect(await violations(), 'missing').toEqual([]);
    await fetchAll('/page.html');
    await open('page.html');
    expect(await violations(), 'text').toEqual([]);
  });
});

test('the panel follows changes of the theme', async () => {
  const setTheme = (theme: string): Promise<void> =>
    session.devtools.evaluate(`(async () => {
      const { Settings } = await import('./core/common/common.js');
      Settings.Settings.instance().moduleSetting('ui-theme').set('${theme}');
    })()`);
  expect(await ground(session)).toBeGreaterThan(128);
  await setTheme('dark');
  await expect.poll(() => ground(session)).toBeLessThan(128);
  await setTheme('default');
  await expect.poll(() => ground(session)).toBeGreaterThan(128);
});

describe('a small and dark panel', () => {
  const session = panelSession({ dark: true, complains: true, prepare: ({ fetchAll }) => fetchAll('/trips.msgpack') });

  test('matches the theme of DevTools', async () => {
    expect(await ground(session)).toBeLessThan(128);
  });

  test.each([
    [520, 'column'],
    [1_800, 'row'],
  ])('with a width of %d pixels arranges its parts in a %s without cutting them off', async (width, direction) => {
    const { panel, devtools, open, tab } = session;
    await devtools.setViewportSize({ width, height: 800 });
    await open('trips.msgpack');
    await expect.poll(() => panel.locator('.app-split').evaluate((split) => getComputedStyle(split).flexDirection)).toBe(direction);
    for (const name of VIEWS) {
      await tab(name);
      const beyond = await panel.evaluate(() =>
        Array.from(document.querySelectorAll<HTMLElement>('.toolbar > *, .tab, .detail-title, .search > *, .view-bar > *'))
          .filter((part) => part.getBoundingClientRect().right > innerWidth + 1)
          .map((part) => part.textContent),
      );
      expect(beyond, name).toEqual([]);
    }
    await tab('Tree and bytes');
    const [tree, bytes] = await Promise.all([panel.getByRole('tree').boundingBox(), panel.getByRole('grid', { name: 'Bytes' }).boundingBox()]);
    expect(Math.min(tree!.height, bytes!.height)).toBeGreaterThan(120);
    expect(Math.min(tree!.width, bytes!.width)).toBeGreaterThan(180);
  });
});
