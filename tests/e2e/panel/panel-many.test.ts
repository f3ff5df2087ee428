import { expect, test } from 'vitest';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession({ complains: true });

/** Starts to record the panel's long tasks. */
const watch = (): Promise<void> =>
  session.panel.evaluate(() => {
    const blocks: number[] = [];
    Object.assign(globalThis, { blocks });
    new PerformanceObserver((list) => blocks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: 'longtask' });
  });

/** Long tasks since the last call, in milliseconds. */
const blocks = (): Promise<number[]> => session.panel.evaluate(() => (globalThis as unknown as { blocks: number[] }).blocks.splice(0));

/** Types a filter. Returns the milliseconds until the list has been painted. */
const filter = (text: string): Promise<number> =>
  session.panel.evaluate(async (typed) => {
    const field = document.querySelector<HTMLInputElement>('.toolbar-filter')!;
    const start = performance.now();
    field.value = typed;
    field.dispatchEvent(new InputEvent('input', { bubbles: true }));
    await new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
    return Math.round(performance.now() - start);
  }, text);

test('4,000 requests are listed and filtered, and the log is copied only once', async () => {
  const { page, panel } = session;
  await watch();
  await page.evaluate(async () => {
    for (let i = 0; i < 4_000; i += 100)
      await Promise.all(Array.from({ length: 100 }, (_, n) => fetch(`/status.json?${i + n}`).then((response) => response.arrayBuffer())));
  });
  await expect.poll(() => panel.locator('.toolbar-count').innerText(), { timeout: PATIENCE_MS }).toBe('4,000 requests');
  const arriving = await blocks();
  console.info(`long tasks while 4,000 requests arrive: ${arriving.join(' ') || 'none'}`);
  const times = [await filter('json?39'), await filter('json?3'), await filter('json'), await filter('')];
  console.info(`milliseconds until a filter is painted: ${times.join(' ')}`);
  await panel.getByPlaceholder('Filter').fill('json?39');
  await expect.poll(() => panel.locator('.toolbar-count').innerText()).toMatch(/^111 of 4,000/);
  await panel.getByPlaceholder('Filter').fill('');
  expect(await panel.locator('.request-row').count()).toBeLessThan(100);
  await panel.getByRole('grid', { name: 'Requests' }).press('End');
  await expect.poll(() => panel.locator('.request-row').last().innerText()).toMatch(/status\.json\?\d+[\s\S]*json/);
  const filtering = await blocks();
  console.info(`long tasks while they are filtered: ${filtering.join(' ') || 'none'}`);
  expect(await panel.getByRole('button', { name: 'Find open streams' }).count()).toBe(1);
});
