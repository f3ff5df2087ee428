import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { stagePanel } from '../../setup/panel/panel-stage.ts';

const stage = stagePanel();
/** A text on which `HOSTILE` does not end. */
const LONG = `${'a'.repeat(60)}!`;
const HOSTILE = '^(a+)+$';

const json = (value: unknown): Uint8Array => new TextEncoder().encode(JSON.stringify(value));
const status = (): string => stage.element.querySelector('.search-count')!.textContent;

async function open(name: string): Promise<void> {
  await expect.poll(() => stage.panel.requests.rows.value.some(({ exchange }) => exchange.url.endsWith(name))).toBe(true);
  const row = stage.panel.requests.rows.value.find(({ exchange }) => exchange.url.endsWith(name))!;
  await stage.panel.selection.select(row.exchange.id);
  await expect.poll(() => stage.element.querySelector('.tree-row')).not.toBeNull();
}

function type(label: string, text: string): HTMLInputElement {
  const field = stage.element.querySelector<HTMLInputElement>(`input[aria-label='${label}']`)!;
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  return field;
}

function press(within: string): void {
  stage.element.querySelector<HTMLElement>(`${within} button[aria-label='Regular expression']`)!.click();
}

/** Pauses the timers of the page until the returned function advances them by a second. A search may take 3. */
function timersByHand(): () => void {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  return () => void vi.advanceTimersByTime(1_000);
}

describe('a regular expression', () => {
  it('matches keys and values of the open body', async () => {
    const adapter = stage.mount();
    adapter.add({ url: 'https://site.test/list', bytes: json([{ name: 'Oak 12' }, { name: 'Elm' }, { nave: 'x' }]) });
    await open('list');
    press('.search');
    type('Search in the value', 'oak \\d+|^na[vm]e$');
    await expect.poll(status).toBe('3 found');
  });

  it('shows an error if it is invalid, and lets the user correct it', async () => {
    const adapter = stage.mount();
    adapter.add({ url: 'https://site.test/list', bytes: json(['Oak']) });
    await open('list');
    press('.search');
    const field = type('Search in the value', 'oak(');
    await expect.poll(status).toMatch(/^Invalid regular expression/);
    expect(field.getAttribute('aria-invalid')).toBe('true');
    type('Search in the value', 'oak');
    await expect.poll(status).toBe('1 found');
  });

  it('stops after a timeout, and the next body opens', async () => {
    const adapter = stage.mount();
    adapter.add({ url: 'https://site.test/long', bytes: json([LONG]) });
    adapter.add({ url: 'https://site.test/next', bytes: json([1, 2, 3]) });
    await open('long');
    press('.search');
    const pass = timersByHand();
    type('Search in the value', HOSTILE);
    // WebKit stops such expressions.
    await expect.poll(() => (pass(), status())).toMatch(/^(?:stopped after 3 s|nothing found)$/);
    vi.useRealTimers();
    await open('next');
    await expect.poll(() => stage.element.querySelectorAll('.tree-row').length).toBe(4);
  });

  it('stops the search in all bodies after a timeout', async () => {
    const adapter = stage.mount();
    adapter.add({ url: 'https://site.test/long', bytes: json([LONG]) });
    adapter.add({ url: 'https://site.test/short', bytes: json(['aaa']) });
    await expect.poll(() => stage.panel.requests.rows.value.length).toBe(2);
    const { session } = stage.panel;
    session.isOpen.value = true;
    const pass = timersByHand();
    await session.search('^a+$', true);
    expect(session.found.value.map(({ count }) => count)).toEqual([1]);
    const search = session.search(HOSTILE, true);
    let isOver = false;
    void search.then(() => (isOver = true));
    await expect.poll(() => (pass(), isOver)).toBe(true);
    expect(['stopped after 3 s', '']).toContain(session.problem.value);
    expect(session.found.value).toHaveLength(1);
  });
});

describe('a search of the session', () => {
  it('finds values in the messages of streams, and opens the message', async () => {
    const adapter = stage.mount();
    const message = (direction: 'sent' | 'received', value: unknown) => ({ direction, time: 1e12, bytes: json(value), isText: true });
    const messages = [message('sent', { ask: 'Elm' }), message('received', { name: 'Oak' }), message('received', { name: 'Elm' })];
    adapter.add({ url: 'wss://site.test/ticks', initiator: 'websocket', messages: () => Promise.resolve(messages) });
    await expect.poll(() => stage.panel.requests.rows.value.length).toBe(1);
    const { session, selection } = stage.panel;
    session.isOpen.value = true;
    await session.search('oak');
    expect(session.found.value.map(({ direction, message: found, count }) => [direction, found === messages[1], count])).toEqual([
      ['response', true, 1],
    ]);
    const found = (): HTMLElement | null => stage.element.querySelector('.session-found button');
    await expect.poll(() => found()?.textContent).toMatch(/^ticks message received at .*name.*Oak/);
    found()!.click();
    await expect
      .poll(() => (selection.state.value.status === 'ready' ? new TextDecoder().decode(selection.state.value.body.bytes) : ''))
      .toBe('{"name":"Oak"}');
    expect(selection.tab.value).toBe('messages');
  });
});
