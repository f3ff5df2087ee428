import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession();

/** Opens a WebSocket of the page, `globalThis.socket`, sends a message of 4 bytes, and waits for its echo. */
async function openSocket(path: string): Promise<void> {
  await session.page.evaluate(async (address) => {
    const socket = new WebSocket(location.origin.replace('http', 'ws') + address);
    socket.binaryType = 'arraybuffer';
    await new Promise((resolve) => socket.addEventListener('open', resolve));
    const answer = new Promise((resolve) => socket.addEventListener('message', resolve));
    socket.send(Uint8Array.of(0x81, 0xa1, 0x61, 1));
    await answer;
    Object.assign(globalThis, { socket });
  }, path);
}

// First, since the panel looks for streams less often the longer the log is.
describe('the list of messages', () => {
  test('shows both directions of a WebSocket', async () => {
    const { page, panel, rows } = session;
    await openSocket('/socket');
    await expect.poll(() => rows('socket').count()).toBe(1);
    // The row has the bytes of the messages before it is opened.
    await expect.poll(() => rows('socket').first().innerText()).toMatch(/\b8 B/);
    await page.evaluate(() => (globalThis as unknown as { socket: WebSocket }).socket.send(Uint8Array.of(0x81, 0xa1, 0x61, 1)));
    await expect.poll(() => rows('socket').first().innerText()).toMatch(/\b16 B/);
    await rows('socket').first().click();
    const messages = panel.locator('.message-row:not(.request-header)');
    await expect.poll(() => messages.allInnerTexts()).toHaveLength(4);
    await expect.poll(() => messages.first().innerText()).toMatch(/sent[\s\S]*messagepack[\s\S]*a: 1/);
    await expect.poll(() => messages.nth(1).innerText()).toMatch(/received[\s\S]*messagepack[\s\S]*a: 1/);
    await page.evaluate(() => (globalThis as unknown as { socket: WebSocket }).socket.send('later'));
    await expect.poll(() => messages.allInnerTexts()).toHaveLength(6);
    await messages.first().dblclick();
    await expect.poll(() => panel.locator('.tree-row').count()).toBe(2);
  });

  test('keeps the messages of a closed WebSocket, which is listed once', async () => {
    const { page, panel, rows, tab } = session;
    await page.evaluate(() => (globalThis as unknown as { socket: WebSocket }).socket.close());
    await tab('Messages');
    await expect.poll(() => panel.locator('.message-row:not(.request-header)').count()).toBeGreaterThanOrEqual(4);
    expect(await rows('socket').count()).toBe(1);
  });

  test('shows the messages of an EventSource with their names', async () => {
    const { page, panel, rows } = session;
    await page.evaluate(async () => {
      const source = new EventSource('/events');
      await new Promise((resolve) => source.addEventListener('price', resolve));
      Object.assign(globalThis, { source });
    });
    await expect.poll(() => rows('events').count()).toBe(1);
    await rows('events').first().click();
    const messages = panel.locator('.message-row:not(.request-header)');
    await expect.poll(() => messages.allInnerTexts()).toHaveLength(2);
    const [first, second] = await messages.allInnerTexts();
    expect(first).toMatch(/received[\s\S]*\{"hello": 1\}/);
    expect(second).toMatch(/received[\s\S]*price[\s\S]*2\.5/);
    await messages.first().click();
    await panel.getByRole('grid', { name: 'Messages' }).press('Enter');
    await expect.poll(() => panel.locator('.tree-row').count()).toBe(2);
    await page.evaluate(() => (globalThis as unknown as { source: EventSource }).source.close());
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
    await expect.poll(() => panel.locator('.request-row').first().innerText()).toContain('Transferred');
  });
});

describe('the list of responses', () => {
  test('shows the format of responses to fetch, for every encoding and Content-Type', async () => {
    const { fetchAll, formatOf } = session;
    await fetchAll('/trips.msgpack', '/records.bin', '/stations.cbor', '/status.json', '/person.pb', '/untyped', '/packed.bin', '/missing');
    expect(await formatOf('trips.msgpack')).toBe('messagepack');
    expect(await formatOf('records.bin')).toBe('messagepack');
    expect(await formatOf('stations.cbor')).toBe('cbor');
    expect(await formatOf('status.json')).toBe('json');
    expect(await formatOf('person.pb')).toBe('protobuf');
    expect(await formatOf('untyped')).toMatch(/^messagepack/);
    expect(await formatOf('packed.bin')).toMatch(/^messagepack/);
    expect(await formatOf('missing')).toBe('–');
  });

  test.each([
    ['gzip', 'zipped.msgpack'],
    ['br', 'brotli.msgpack'],
  ])('shows responses compressed with %s decompressed', async (_, name) => {
    const { panel, rows, fetchAll, open } = session;
    await fetchAll(`/${name}`);
    // Next to an open request, the list has no sizes.
    const cell = (index: number): Promise<string> => rows(name).first().locator('[role=gridcell]').nth(index).innerText();
    await expect.poll(() => cell(3)).toBe('59 kB');
    expect(Number.parseFloat(await cell(4))).toBeLessThan(20);
    await open(name);
    expect(await panel.locator('.tree-row').first().innerText()).toContain('[300 items]');
    await panel.getByRole('button', { name: 'Close', exact: true }).click();
  });

  test('shows the format of responses to XMLHttpRequest', async () => {
    await session.page.evaluate(
      () =>
        new Promise<void>((resolve) => {
          const request = new XMLHttpRequest();
          request.open('GET', '/again/trips.msgpack?xhr');
          request.responseType = 'arraybuffer';
          request.addEventListener('load', () => resolve());
          request.send();
        }),
    );
    expect(await session.formatOf('?xhr')).toBe('messagepack');
  });

  test('shows the format of responses in workers', async () => {
    await session.page.evaluate(async () => {
      const source = `onmessage = ({ data }) => fetch(data).then((r) => r.arrayBuffer()).then(() => postMessage(1))`;
      const worker = new Worker(URL.createObjectURL(new Blob([source])));
      await new Promise<void>((resolve) => {
        worker.addEventListener('message', () => resolve());
        worker.postMessage(`${location.origin}/again/trips.msgpack?worker`);
      });
    });
    expect(await session.formatOf('?worker')).toBe('messagepack');
  });

  test('shows the format of responses in iframes', async () => {
    await session.page.evaluate(async () => {
      const frame = document.createElement('iframe');
      frame.src = '/';
      document.body.append(frame);
      await new Promise((resolve) => frame.addEventListener('load', resolve));
      await frame.contentWindow!.fetch('/again/trips.msgpack?frame').then((response) => response.arrayBuffer());
    });
    expect(await session.formatOf('?frame')).toBe('messagepack');
  });

  test('shows responses of a service worker once', async () => {
    const { page, rows, fetchAll, open, panel } = session;
    await page.evaluate(async () => {
      await navigator.serviceWorker.register('/service-worker.js');
      if (!navigator.serviceWorker.controller) await new Promise((resolve) => navigator.serviceWorker.addEventListener('controllerchange', resolve));
    });
    await fetchAll('/worker/made', '/worker/fetched');
    await open('made');
    expect(await panel.locator('.tree-row').count()).toBe(4);
    await open('fetched');
    expect(await panel.locator('.tree-row').first().innerText()).toContain('{3 keys}');
    expect(await rows('made').count()).toBe(1);
    expect(await rows('fetched').count()).toBe(1);
    await fetchAll('/status.json?through');
    await expect.poll(() => rows('?through').count()).toBe(2);
    const mark = panel.getByRole('img', { name: 'made by the service worker' });
    await expect.poll(() => rows('?through').filter({ has: mark }).count()).toBe(1);
    await rows('?through').filter({ has: mark }).click();
    await panel.getByRole('button', { name: "Open the page's request" }).click();
    await expect.poll(() => panel.locator('.tree-row').first().innerText()).toContain('{4 keys}');
    await page.evaluate(async () => {
      for (const registration of await navigator.serviceWorker.getRegistrations()) await registration.unregister();
    });
  });

  test('shows each of several responses with the same time', async () => {
    await session.page.evaluate(() =>
      Promise.all(Array.from({ length: 12 }, () => fetch('/again/status.json?alike').then((response) => response.text()))).then(() => undefined),
    );
    await expect.poll(() => session.rows('?alike').count()).toBe(12);
  });

  test('marks binary responses with the type JSON', async () => {
    const { panel, fetchAll, open } = session;
    await fetchAll('/mislabelled.json');
    await open('mislabelled.json');
    await panel.getByText('delivered this body as text').waitFor();
    await open('status.json');
    expect(await panel.getByText('delivered this body as text').count()).toBe(0);
  });
});

describe('the view of a request body', () => {
  test('shows its exact bytes', async () => {
    const { page, panel, open } = session;
    const body = [0x81, 0xa1, 0x71, 0x93, 1, 0xcc, 0xff, 0xc0];
    await page.evaluate(
      (bytes) =>
        fetch('/echo', { method: 'POST', headers: { 'content-type': 'application/msgpack' }, body: Uint8Array.from(bytes) })
          .then((response) => response.arrayBuffer())
          .then(() => undefined),
      body,
    );
    await open('echo');
    await panel.getByRole('radio', { name: 'Request', exact: true }).check();
    await expect.poll(() => panel.locator('.tree-row').allInnerTexts()).toHaveLength(5);
    expect(await panel.locator('.tree-row').nth(1).innerText()).toContain('fixarray 3');
    expect(await panel.locator('.hex-bytes').first().innerText()).toMatch(/^81 a1 71 93 +01 cc ff c0/);
    await panel.getByText('exact bytes').waitFor();
  });

  test('marks a body that the browser delivers only as text', async () => {
    const { page, panel, open } = session;
    await page.evaluate(() => {
      const form = new FormData();
      form.append('file', new Blob([Uint8Array.of(0xc1, 0xff, 0, 0x80)]), 'part.bin');
      return fetch('/echo?form', { method: 'POST', body: form })
        .then((response) => response.arrayBuffer())
        .then(() => undefined);
    });
    await open('echo?form');
    await panel.getByRole('radio', { name: 'Request', exact: true }).check();
    await panel.getByText(/delivered this body as text|exact bytes/).waitFor();
    const length = Number((await panel.locator('.detail-facts').innerText()).match(/([\d.,]+) B/)?.[1] ?? 0);
    const isExact = (await panel.getByText('exact bytes').count()) === 1;
    // The boundaries alone are longer than 100 bytes. The part of the file is missing or complete.
    expect(length).toBeGreaterThan(100);
    expect(isExact).toBe((await panel.locator('.hex-bytes').allInnerTexts()).join(' ').replaceAll(/\s+/g, ' ').includes('c1 ff 00 80'));
  });
});

describe('the explanation of a missing body', () => {
  test('names an aborted request', async () => {
    const { page, panel, rows } = session;
    await page.evaluate(async () => {
      const controller = new AbortController();
      const response = await fetch('/hanging.msgpack', { signal: controller.signal });
      await response.body!.getReader().read();
      controller.abort();
    });
    await rows('hanging.msgpack').first().click();
    await panel.getByText('cancelled').waitFor();
    expect(await panel.getByRole('button', { name: 'Open it from a file…' }).count()).toBe(1);
  });

  test('names a response that the page never reads, unless the browser kept its body', async () => {
    const { page, panel, rows } = session;
    await page.evaluate(async () => {
      Object.assign(globalThis, { unread: await fetch('/large.msgpack?unread') });
    });
    await expect.poll(() => rows('?unread').count()).toBe(1);
    await rows('?unread').first().click();
    // The browser has either read the body, or never answers.
    await expect.poll(() => panel.locator('.detail').innerText()).toMatch(/The page did not read this body|\[52,000 items\]/);
  });
});

describe('the panel', () => {
  test('opens, scrolls and folds 10 MB', async () => {
    const { panel, fetchAll, open } = session;
    await fetchAll('/large.msgpack');
    await open('large.msgpack');
    await expect.poll(() => panel.locator('.tree-row').count()).toBeGreaterThan(10);
    await panel.getByRole('tree').press('End');
    await expect.poll(() => panel.locator('.inspector-path').innerText()).toBe('$[51999]');
    expect(await panel.locator('.hex-bytes .tint-payload').count()).toBeGreaterThan(0);
  });

  test('explains why a body of 20 MB is missing, and opens it from a file', async () => {
    const { panel, rows, fetchAll } = session;
    await fetchAll('/huge.msgpack');
    await rows('huge.msgpack').first().click();
    await panel.getByText('DevTools delivers bodies of up to 15 MB').waitFor();
    await panel.locator('.empty input[type=file]').setInputFiles({ name: 'saved.msgpack', mimeType: '', buffer: Buffer.of(0x92, 1, 2) });
    await expect.poll(() => panel.locator('.tree-row').count()).toBe(3);
    expect(await panel.locator('.detail-title').innerText()).toContain('huge.msgpack');
  });

  test('gets a body of 20 MB and its measurements from a page that uses the library', async () => {
    const { page, panel, rows, tab, reload } = session;
    await page.evaluate(`(async () => {
      const { createDecoder } = await import('/dist/index.js');
      const decoder = createDecoder({ keepBodies: true });
      const response = await decoder.fetch('/huge.msgpack?kept');
      await response.json();
    })()`);
    await reload();
    await expect.poll(() => rows('?kept').count()).toBe(1);
    await rows('?kept').first().click();
    await panel.getByRole('button', { name: 'Take it from the page' }).click();
    await expect.poll(() => panel.locator('.tree-row').first().innerText()).toContain('[20 items]');
    expect(await panel.locator('.detail-facts').innerText()).toContain('20.0 MB');
    await tab('Timing');
    await expect.poll(() => panel.locator('.report').last().locator('.waterfall-row').allInnerTexts()).toHaveLength(5);
    await tab('Tree and bytes');
  });
});

describe('the list', () => {
  test('keeps its requests and open sockets while the document stays: history entries, and fragments of the URL', async () => {
    const { page, panel, url, rows, fetchAll } = session;
    await fetchAll('/stations.cbor?stays');
    await openSocket('/socket?stays');
    await expect.poll(() => rows('socket?stays').count()).toBe(1);
    await page.evaluate(() => {
      history.pushState({}, '', '?pushed');
      history.replaceState({}, '', '?replaced');
      location.hash = '#fragment';
    });
    await fetchAll('/status.json?after');
    await expect.poll(() => rows('status.json?after').count()).toBe(1);
    expect(await rows('stations.cbor?stays').count()).toBe(1);
    // A divider with the last address, between the requests before and after it.
    const lines = (await panel.locator('.requests .virtual-rows > *').allInnerTexts()).map((line) => line.split('\n')[0]!);
    const divider = lines.indexOf(`Navigated to ${url}?replaced#fragment`);
    expect(lines[divider + 1]).toContain('status.json?after');
    expect(lines.findIndex((line) => line.includes('stays'))).toBeLessThan(divider);
    expect(lines.filter((line) => line.startsWith('Navigated'))).toHaveLength(1);
    // More messages of the socket are still counted.
    await page.evaluate(() => (globalThis as unknown as { socket: WebSocket }).socket.send(Uint8Array.of(0x81, 0xa1, 0x61, 1)));
    await expect.poll(() => rows('socket?stays').first().innerText()).toMatch(/\b16 B/);
    await page.evaluate(() => (globalThis as unknown as { socket: WebSocket }).socket.close());
  });

  test('shows the format of a body that it reads after the address has changed', async () => {
    const { page, panel, formatOf } = session;
    await page.evaluate(async () => {
      for (let i = 0; i < 8; i++) {
        await (await fetch(`/person.pb?moved=${i}`)).arrayBuffer();
        history.pushState({}, '', `?step=${i}`);
      }
    });
    for (let i = 0; i < 8; i++) {
      await panel.getByPlaceholder('Filter').fill(`moved=${i}`);
      expect(await formatOf(`moved=${i}`)).toBe('protobuf');
    }
    await panel.getByPlaceholder('Filter').fill('');
  });

  test('empties when the page navigates, unless the log is preserved', async () => {
    const { page, panel, url, rows, fetchAll, open } = session;
    await page.goto(url);
    await expect.poll(() => rows('msgpack').count()).toBe(0);
    await fetchAll('/stations.cbor');
    await expect.poll(() => rows('stations.cbor').count()).toBe(1);
    expect(await session.formatOf('stations.cbor')).toBe('cbor');
    await panel.getByLabel('Preserve log').check();
    await page.goto(`${url}?again`);
    await fetchAll('/status.json');
    await expect.poll(() => rows('status.json').count()).toBe(1);
    await open('stations.cbor');
    expect(await panel.locator('.tree-row').first().innerText()).toContain('{3 keys}');
    await panel.getByLabel('Preserve log').uncheck();
  });

  test('filters by text, kind and format', async () => {
    const { panel, rows, fetchAll } = session;
    const shown = (): Promise<number> => panel.locator('.request-row:not(.request-header)').count();
    await fetchAll('/trips.msgpack', '/style.css');
    await panel.getByPlaceholder('Filter').fill('stations');
    await expect.poll(shown).toBe(1);
    await panel.getByPlaceholder('Filter').fill('');
    await panel.getByRole('radio', { name: 'Binary', exact: true }).check();
    await expect.poll(() => rows('status.json').count()).toBe(0);
    await panel.getByRole('radio', { name: 'Data', exact: true }).check();
    await panel.getByLabel('Format to show').selectOption('cbor');
    await expect.poll(shown).toBe(1);
    await panel.getByLabel('Format to show').selectOption('');
    await expect.poll(() => rows('status.json').count()).toBe(1);
    await panel.getByRole('radio', { name: 'All', exact: true }).check();
    await expect.poll(() => rows('style.css').count()).toBeGreaterThan(0);
    await panel.getByRole('radio', { name: 'Data', exact: true }).check();
  });
});
