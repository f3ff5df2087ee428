import { Packr } from 'msgpackr/pack';
import { options } from 'preact';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { DecodeReport } from '../../../main/call/observe.ts';
import { chosenColumns } from '../../../devtools-extension/panel/requests/columns.ts';
import { FORMS } from '../../../devtools-extension/reading/what-if/forms.ts';
import { stagePanel } from '../../setup/panel/panel-stage.ts';

const pack = (value: unknown): Uint8Array => Uint8Array.from(new Packr({ useRecords: false }).pack(value));
const url = (name: string): string => `https://site.test/${name}`;

const stage = stagePanel();

const all = (selector: string): string[] => Array.from(stage.element.querySelectorAll(selector), (found) => found.textContent);

async function open(name: string): Promise<void> {
  await expect.poll(() => all('.request-name')).toContain(name);
  Array.from(stage.element.querySelectorAll<HTMLElement>('.request-row'))
    .find((row) => row.textContent.includes(name))!
    .click();
  await expect.poll(() => stage.element.querySelector('.detail-facts') ?? stage.element.querySelector('.detail .empty')).not.toBeNull();
}

async function tab(name: string): Promise<void> {
  stage.element.querySelector<HTMLElement>(`#tab-${name}`)!.click();
  await expect.poll(() => stage.element.querySelector(`#tab-${name}`)!.getAttribute('aria-selected')).toBe('true');
}

describe('the panel in a page', () => {
  it('shows instructions while it is empty', () => {
    stage.mount();
    expect(stage.element.textContent).toContain('No requests yet');
    expect(stage.element.textContent).toContain('Reload the page to see those made before');
    expect(stage.element.textContent).toContain('Select a request');
  });

  it('shows a body as a tree next to its bytes', async () => {
    const adapter = stage.mount();
    adapter.add({ url: url('one.msgpack'), bytes: pack({ name: 'Oak', sizes: [1, 2] }) });
    await open('one.msgpack');
    await expect.poll(() => all('.tree-row').length).toBe(5);
    expect(all('.tree-row')[1]).toMatch(/name: "Oak"fixstr 3/);
    expect(all('.hex-bytes')[0]!.startsWith('de 00 02 a4')).toBe(true);
  });

  it('keeps a table row selected before the effects of the first rendering', async () => {
    const adapter = stage.mount();
    adapter.add({ url: url('rows.msgpack'), bytes: pack(Array.from({ length: 50 }, (_, id) => ({ id }))) });
    await open('rows.msgpack');
    await expect.poll(() => all('.tree-row').length).toBeGreaterThan(1);
    const scheduling = options as { requestAnimationFrame?: ((run: () => void) => void) | undefined };
    const effects: (() => void)[] = [];
    scheduling.requestAnimationFrame = (run) => void effects.push(run);
    onTestFinished(() => void (scheduling.requestAnimationFrame = undefined));
    await tab('table');
    const table = (): Element => stage.element.querySelector('.table')!;
    table().dispatchEvent(new KeyboardEvent('keydown', { key: 'End', bubbles: true }));
    for (const run of effects.splice(0)) run();
    await expect.poll(() => table().getAttribute('aria-activedescendant')).toBe('record-49');
  });

  it('explains a missing body and offers that of the page', async () => {
    const kept = pack([1, 2, 3]);
    const report = { id: 7, url: url('big'), format: 'messagepack', startTime: 0 } as DecodeReport;
    const adapter = stage.mount({ readLibrary: () => ({ decodes: [report], schemas: [], bodies: [7], timeOrigin: 0 }), readLibraryBody: () => kept });
    adapter.add({ url: url('big'), responseBody: () => Promise.resolve({ missing: 'It is too large.', mayBeElsewhere: true }) });
    await open('big');
    await expect.poll(() => stage.element.textContent).toContain('It is too large.');
    await expect.poll(() => all('.detail button').some((text) => text === 'Take it from the page')).toBe(true);
    Array.from(stage.element.querySelectorAll('button'))
      .find(({ textContent }) => textContent === 'Take it from the page')!
      .click();
    await expect.poll(() => all('.tree-row').length).toBe(4);
  });

  it('offers the body of the page only where it helps', async () => {
    const report = { id: 7, url: url('moved'), format: 'messagepack', startTime: 0 } as DecodeReport;
    const adapter = stage.mount({ readLibrary: () => ({ decodes: [report], schemas: [], bodies: [7], timeOrigin: 0 }) });
    adapter.add({ url: url('moved'), responseBody: () => Promise.resolve({ missing: 'A redirect has no body.' }) });
    await open('moved');
    await expect.poll(() => stage.element.textContent).toContain('A redirect has no body.');
    expect(all('.detail button')).not.toContain('Take it from the page');
    expect(stage.element.textContent).not.toContain('keepBodies');
  });

  it('shows the same format in the list and for an open body of any size', async () => {
    const words = new Uint8Array(600_008);
    new DataView(words.buffer).setUint32(4, 75_000, true);
    words.set([0, 0, 0, 0, 1, 0, 0, 0], 8);
    const adapter = stage.mount();
    adapter.add({ url: url('large.bin'), bytes: words });
    await expect.poll(() => stage.panel.requests.rows.value[0]?.detection).toBeDefined();
    const before = stage.panel.requests.rows.value[0]!.detection;
    await open('large.bin');
    await expect.poll(() => stage.panel.selection.state.value.status).toBe('ready');
    expect(stage.panel.requests.rows.value[0]!.detection).toEqual(before);
  });

  it('truncates the path of an error at a depth of thousands of levels', async () => {
    const adapter = stage.mount();
    adapter.add({ url: url('deep.json'), contentType: 'application/json', bytes: new TextEncoder().encode('['.repeat(4_500)) });
    await open('deep.json');
    await expect.poll(() => all('.error-line').join()).toContain('levels …');
    expect(all('.error-line').join().length).toBeLessThan(300);
  });

  it('shows the measurements of the library for the request', async () => {
    const report: DecodeReport = {
      id: 1,
      label: 'trips',
      url: url('trips'),
      format: 'messagepack',
      schema: undefined,
      as: 'rows',
      route: 'worker',
      why: 'asked for',
      kernel: false,
      bytes: 9,
      rows: 2,
      startTime: 0,
      duration: 10,
      readMs: 1,
      queueMs: 2,
      transferMs: 3,
      decodeMs: 4,
      materialiseMs: 0,
      mainMs: 0,
      workerStartMs: 0,
      longestSliceMs: 0.5,
      error: undefined,
    };
    const adapter = stage.mount({ readLibrary: () => ({ decodes: [report], schemas: [], bodies: [], timeOrigin: 0 }) });
    adapter.add({ url: url('trips'), bytes: pack([{ a: 1 }, { a: 2 }]) });
    await open('trips');
    await tab('timing');
    await expect.poll(() => all('.waterfall-row')).toEqual(['read1.0 ms', 'queue2.0 ms', 'transfer3.0 ms', 'decode4.0 ms', 'materialise0 ms']);
  });

  it('lists the formats that fit a body, and the others after More…', async () => {
    const adapter = stage.mount();
    // An array of two as CBOR; not complete as MessagePack.
    adapter.add({ url: url('pair'), bytes: Uint8Array.of(0x82, 0x01, 0x02) });
    await open('pair');
    await expect.poll(() => all('select[aria-label=Format] option')).toEqual(['detect', 'cbor', 'More…']);
    const select = stage.element.querySelector<HTMLSelectElement>('select[aria-label=Format]')!;
    select.value = 'more';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await expect.poll(() => all('select[aria-label=Format] option').length).toBe(13);
    expect(select.value).toBe('cbor');
    expect(all('select[aria-label=Format] option')).not.toContain('More…');
  });

  it('shows the columns that the user chooses, and keeps the choice', async () => {
    onTestFinished(() => void (chosenColumns.value = before));
    const before = chosenColumns.value;
    const network = { timings: {}, httpVersion: '', remoteAddress: '', priority: '', initiator: 'script, https://site.test/app.js:12' };
    const adapter = stage.mount();
    adapter.add({ url: url('one'), method: 'POST', initiator: 'fetch', bytes: pack([1]), network });
    await expect.poll(() => all('.request-name')).toEqual(['POSTone']);
    const choose = async (label: string): Promise<void> => {
      const heading = stage.element.querySelector<HTMLElement>('.request-header .sort')!;
      heading.focus();
      heading.dispatchEvent(new KeyboardEvent('keydown', { key: 'F10', shiftKey: true, bubbles: true, cancelable: true }));
      await expect.poll(() => all('[role=menuitemcheckbox]')).toContain(label);
      const item = Array.from(stage.element.querySelectorAll<HTMLElement>('[role=menuitemcheckbox]')).find(
        ({ textContent }) => textContent === label,
      )!;
      expect(item.getAttribute('aria-checked')).toBe(String(label === 'Status'));
      item.click();
    };
    for (const label of ['Method', 'Type', 'Initiator', 'Started', 'Status']) await choose(label);
    const headings = ['Name', 'Method', 'Type', 'Initiator', 'Format', 'Size', 'Transferred', 'Started', 'Time'];
    await expect.poll(() => all('[role=columnheader]')).toEqual(headings);
    expect(all('.request-row:not(.request-header) [role=gridcell]').slice(0, 4)).toEqual(['one', 'POST', 'fetch', 'app.js:12']);
    expect(JSON.parse(localStorage.getItem('unspool-panel-columns')!)).toEqual(chosenColumns.value);
    stage.element.style.width = '400px';
    await expect.poll(() => all('[role=columnheader]')).toEqual(['Name', 'Method', 'Format', 'Size']);
  });

  it('explains the second row of a request that a service worker passes on', async () => {
    const adapter = stage.mount();
    const time = Date.now();
    const empty = new Uint8Array(0);
    const own = adapter.add({ url: url('a.msgpack'), time: time + 1, duration: 40, bytes: empty });
    const later = adapter.add({ url: url('a.msgpack'), time: time + 900, duration: 40, bytes: empty });
    const page = adapter.add({ url: url('a.msgpack'), time, duration: 60, fromServiceWorker: true, bytes: pack([1, 2]) });
    await expect.poll(() => all('.request-name').length).toBe(3);
    const marked = (): string[] =>
      Array.from(stage.element.querySelectorAll('.request-row:has([aria-label="made by the service worker"])'), ({ id }) => id);
    expect(marked()).toEqual([`request-${own.id}`]);
    await stage.panel.selection.select(later.id);
    await expect.poll(() => stage.element.querySelector('.view')!.textContent).toContain('The body is empty');
    await stage.panel.selection.select(own.id);
    await expect.poll(() => stage.element.querySelector('.view')!.textContent).toContain('The service worker made this request');
    stage.element.querySelector<HTMLElement>('.view .button-main')!.click();
    await expect.poll(() => stage.panel.selection.id.value).toBe(page.id);
    await expect.poll(() => all('.tree-row').length).toBe(3);
  });

  it('keeps the tabs in one line, with those that do not fit in a menu', async () => {
    const adapter = stage.mount();
    adapter.add({ url: url('one.json'), contentType: 'application/json', bytes: new TextEncoder().encode('{"a": 1}') });
    await open('one.json');
    await expect.poll(() => all('.tree-row').length).toBe(2);
    expect(stage.element.querySelector('.tab-menu')).toBeNull();
    stage.element.style.width = '420px';
    await expect.poll(() => stage.element.querySelector('.tab-menu')).not.toBeNull();
    const line = stage.element.querySelector('.tab-line')!;
    expect(line.getBoundingClientRect().height).toBeLessThan(36);
    expect(getComputedStyle(stage.element.querySelector('#tab-timing')!).visibility).toBe('hidden');
    stage.element.querySelector<HTMLElement>('.tab-menu')!.click();
    await expect.poll(() => all('[role=menuitem]')).toContain('Timing');
    Array.from(stage.element.querySelectorAll<HTMLElement>('[role=menuitem]'))
      .find(({ textContent }) => textContent === 'Timing')!
      .click();
    await expect.poll(() => stage.element.querySelector('#tab-timing')!.getAttribute('aria-selected')).toBe('true');
    // The selected tab is always in the line.
    await expect.poll(() => getComputedStyle(stage.element.querySelector('#tab-timing')!).visibility).toBe('visible');
    await expect.poll(() => document.activeElement?.id).toBe('tab-timing');
    expect(line.scrollWidth).toBeLessThanOrEqual(line.clientWidth);
  });

  it('disables the tabs without meaning for a body, and names that of a body without a value after its bytes', async () => {
    const adapter = stage.mount();
    adapter.add({ url: url('one.json'), contentType: 'application/json', bytes: new TextEncoder().encode('{"a": 1}') });
    adapter.add({ url: url('noise'), bytes: Uint8Array.of(0xc1, 0xff, 0xc1) });
    const disabled = (): string[] => all('.tab:disabled');
    await open('one.json');
    await expect.poll(disabled).toEqual(['Table']);
    expect(all('#tab-tree')).toEqual(['Tree and bytes']);
    await open('noise');
    await expect.poll(disabled).toEqual(['Table', 'Size', 'What if', 'Compare']);
    expect(all('#tab-tree')).toEqual(['Bytes']);
  });

  it('shows the types of all values in full where the bytes leave room', async () => {
    stage.element.style.width = '1280px';
    const adapter = stage.mount();
    const trip = { ride_id: 'R0000000000', rideable_type: 'electric_bike', started_at: '2024-05-01 08:10:07.311', distance: 0, note: null };
    adapter.add({ url: url('trips.msgpack'), bytes: pack({ page: 1, trips: Array.from({ length: 30 }, () => trip) }) });
    await open('trips.msgpack');
    await expect.poll(() => all('.tree-row').join()).toContain('started_at');
    const cut = (): string[] =>
      Array.from(stage.element.querySelectorAll('.tree-row .encoding'))
        .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
        .map((type) => type.parentElement!.textContent);
    await expect.poll(cut).toEqual([]);
  });

  it('tries every format although the worker is replaced meanwhile', async () => {
    const adapter = stage.mount();
    adapter.add({ url: url('one.json'), contentType: 'application/json', bytes: new TextEncoder().encode('{"a": 1}') });
    await open('one.json');
    const { client } = stage.panel;
    const call = client.call.bind(client);
    let replaced: Promise<unknown> | undefined;
    vi.spyOn(client, 'call').mockImplementation((name, request, settings) => {
      if (name === 'encodeForm' && !replaced && (request as { index: number }).index === 2) {
        const bytes = new TextEncoder().encode(`"${'a'.repeat(60)}!"`);
        const query = { text: '(a+)+$', where: 'all', isPattern: true } as const;
        // Without an end, so that its worker is stopped.
        replaced = call('searchBody', { bytes, contentType: 'application/json', query }, { longest: 1 }).catch((error: unknown) => error);
      }
      return call(name, request, settings);
    });
    await tab('whatif');
    await expect.poll(() => stage.element.querySelectorAll('.what-if tbody tr').length).toBe(FORMS.length);
    expect(await replaced).toMatchObject({ name: 'TimeoutError' });
  });

  it('shows the value beside the tree in a panel lower than 300 pixels', async () => {
    const adapter = stage.mount();
    adapter.add({ url: url('one.json'), contentType: 'application/json', bytes: new TextEncoder().encode('{"a": 1, "b": [true]}') });
    await open('one.json');
    await expect.poll(() => all('.tree-row').length).toBe(4);
    const toggle = Array.from(stage.element.querySelectorAll('button')).find(({ textContent }) => textContent === 'Value')!;
    toggle.click();
    onTestFinished(() => toggle.click());
    await expect.poll(() => stage.element.querySelector('.value-view')).not.toBeNull();
    // In whole pixels: Firefox has fractions in one of two edges that touch.
    const boxOf = (part: string): Record<'top' | 'left' | 'right' | 'bottom' | 'height', number> => {
      const { top, left, right, bottom, height } = stage.element.querySelector(part)!.getBoundingClientRect();
      return { top: Math.round(top), left: Math.round(left), right: Math.round(right), bottom: Math.round(bottom), height: Math.round(height) };
    };
    const boxes = () => [boxOf('.tree-room'), boxOf('.value-view')] as const;
    const [tree, value] = boxes();
    expect(value.top).toBeGreaterThanOrEqual(tree.bottom);
    stage.element.style.height = '280px';
    const [lowTree, lowValue] = boxes();
    expect(lowValue.left).toBeGreaterThanOrEqual(lowTree.right);
    expect(lowValue.height).toBe(lowTree.height);
    expect(lowTree.height).toBeGreaterThan(100);
  });

  it('remembers the selected format of an address', async () => {
    const adapter = stage.mount();
    adapter.add({ url: url('guess?page=1'), bytes: Uint8Array.of(0x82, 0x01, 0x02) });
    await open('guess?page=1');
    await expect.poll(() => stage.element.querySelector('select[aria-label=Format]')).not.toBeNull();
    const select = stage.element.querySelector<HTMLSelectElement>('select[aria-label=Format]')!;
    select.value = 'cbor';
    select.dispatchEvent(new Event('change', { bubbles: true }));
    await expect.poll(() => all('.tree-row').length).toBe(3);
    adapter.add({ url: url('guess?page=2'), bytes: Uint8Array.of(0x82, 0x03, 0x04) });
    await open('guess?page=2');
    await expect.poll(() => all('.tree-row')[0]).toContain('array 2');
  });

  it('removes the requests that began before a new document, and keeps the open one of the others', async () => {
    const adapter = stage.mount();
    const bytes = new TextEncoder().encode('[1]');
    adapter.add({ url: url('a.json'), bytes, time: 1_000 });
    adapter.add({ url: url('b.json'), bytes, time: 2_000 });
    await expect.poll(() => all('.request-name')).toEqual(['a.json', 'b.json']);
    await open('b.json');
    adapter.navigate(url(''), 2_000);
    await expect.poll(() => all('.request-name')).toEqual(['b.json']);
    await expect.poll(() => all('.tree-row').length).toBe(2);
    adapter.navigate(url(''), 2_001);
    await expect.poll(() => all('.request-name')).toEqual([]);
    expect(all('.tree-row')).toEqual([]);
  });

  it('opens 10 MB and scrolls', async () => {
    const rows = Array.from({ length: 55_000 }, (_, i) => ({
      id: `R${i}`,
      kind: 'electric_bike',
      started: '2024-05-01 08:10:07.311',
      from: 'W 20 St & 1 Ave',
      to: 'E 10 St & 9 Ave',
      distance: i,
      lat: 40.7 + i / 1e6,
      member: true,
      note: 'as it was told to us, and no more than that',
    }));
    const bytes = pack(rows);
    expect(bytes.length).toBeGreaterThan(10e6);
    const adapter = stage.mount();
    adapter.add({ url: url('small.msgpack'), bytes: pack([{ a: 1 }]) });
    await open('small.msgpack');
    await expect.poll(() => all('.tree-row').length).toBe(3);
    adapter.add({ url: url('large.msgpack'), contentType: 'application/msgpack', bytes });
    await expect.poll(() => all('.request-name')).toContain('large.msgpack');
    await expect.poll(() => all('.chip').length).toBe(2);
    const blocks: number[] = [];
    const observer = new PerformanceObserver((list) => blocks.push(...list.getEntries().map(({ duration }) => duration)));
    if (PerformanceObserver.supportedEntryTypes.includes('longtask')) observer.observe({ type: 'longtask' });
    const start = performance.now();
    await stage.panel.selection.select(2);
    await expect.poll(() => all('.tree-row')[0], { interval: 5 }).toContain('55,000 items');
    const opened = performance.now() - start;
    const tree = stage.element.querySelector('.tree')!;
    for (let i = 1; i <= 30; i += 1) {
      tree.scrollTop = (tree.scrollHeight * i) / 30;
      await new Promise((resolve) => requestAnimationFrame(resolve));
    }
    observer.disconnect();
    document.title = `opened in ${Math.round(opened)} ms, longest block ${Math.round(Math.max(0, ...blocks))} ms`;
    console.info(document.title);
  });
});
