import { expect, test } from 'vitest';
import { PATIENCE_MS } from '../../setup/browsers/patience.ts';
import { panelSession } from '../../setup/panel/panel-session.ts';

/** Messages of an hour at 50 a second, and the parts in which they arrive. */
const HOUR = 180_000;
const PARTS = 4;
/** Messages that the panel keeps of a stream. */
const MAX_KEPT = 50_000;
/** Limit for the growth of the heap once the panel drops messages. */
const MAX_GROWTH = 1.1;
const SOON = { timeout: 2 * PATIENCE_MS };

const session = panelSession();

/** Messages in the list, messages dropped, and the panel's heap after a collection, in bytes. */
interface Kept {
  kept: number;
  dropped: number;
  heap: number;
}

test('the messages of an hour at 50 a second take a bounded amount of memory', async () => {
  const { page, panel, rows } = session;
  const inspector = await page.context().newCDPSession(panel);
  const counts = async (): Promise<Omit<Kept, 'heap'>> => {
    const text = await panel.locator('.message-view [role=status]').innerText();
    const [kept = 0, dropped = 0] = Array.from(text.matchAll(/([\d,]+) (?:messages|were dropped)/g), ([, digits]) =>
      Number(digits!.replaceAll(',', '')),
    );
    return { kept, dropped };
  };
  const measure = async (): Promise<Kept> => {
    await inspector.send('HeapProfiler.collectGarbage');
    const { usedSize } = await inspector.send('Runtime.getHeapUsage');
    return { ...(await counts()), heap: usedSize };
  };
  await page.evaluate(async () => {
    const socket = new WebSocket(`${location.origin.replace('http', 'ws')}/flood`);
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    Object.assign(globalThis, { socket });
  });
  await expect.poll(() => rows('flood').count(), SOON).toBe(1);
  await rows('flood').first().click();
  const states: Kept[] = [];
  for (let part = 1; part <= PARTS; part += 1) {
    await page.evaluate((count) => (globalThis as unknown as { socket: WebSocket }).socket.send(String(count)), HOUR / PARTS);
    const seen = async (): Promise<number> => {
      const { kept, dropped } = await counts();
      return kept + dropped;
    };
    // The messages that ask for them count too.
    await expect.poll(seen, SOON).toBe((HOUR / PARTS) * part + part);
    const state = await measure();
    states.push(state);
    console.info(`${state.kept} messages kept, ${state.dropped} dropped, heap ${(state.heap / 1e6).toFixed(1)} MB`);
  }
  for (const { kept } of states) expect(kept).toBeLessThanOrEqual(MAX_KEPT);
  // The first part alone fits within the limit.
  expect(states.at(-1)!.heap).toBeLessThan(states[1]!.heap * MAX_GROWTH);
});
