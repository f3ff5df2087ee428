import { expect, test } from 'vitest';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { newRow, type Row } from '../../../../devtools-extension/panel/requests/row.ts';
import type { SessionDependencies } from '../../../../devtools-extension/panel/session/session-bodies.ts';
import { addBody, SessionWhatIf, sumOf, type WhatIfTotal } from '../../../../devtools-extension/panel/session/session-what-if.ts';
import type { CallOptions, FormSize, ReadingClient } from '../../../../devtools-extension/reading/protocol.ts';
import { gzipSize, sizeForm } from '../../../../devtools-extension/reading/what-if/try-forms.ts';
import { FORMS } from '../../../../devtools-extension/reading/what-if/forms.ts';

const rowOf = (url: string, bytes: Uint8Array, transferred: number): Row =>
  newRow(createPageAdapter().add({ url, transferred, bytes, contentType: 'application/json' }));
const sizes = (...given: (number | undefined)[]): FormSize[] => given.map((size, index) => ({ name: `form ${index}`, size, gzip: size ?? 0 }));

test('the session’s “what if” sums bodies by address and format, and counts unrepresentable ones at their original size', () => {
  const body = { forms: 2, size: 100, gzip: 60 };
  const row = (url: string): Row => rowOf(url, new Uint8Array(1), 70);
  let totals: WhatIfTotal[] = [];
  totals = addBody(totals, row('https://a.test/users'), body, sizes(10, 20));
  totals = addBody(totals, row('https://a.test/trips/1'), body, sizes(40, undefined));
  totals = addBody(totals, row('https://a.test/trips/2?x=1'), body, sizes(30, 20));
  expect(totals).toEqual([
    {
      address: 'https://a.test/trips/*',
      format: '–',
      count: 2,
      size: 200,
      gzip: 120,
      transferred: 140,
      forms: [
        { name: 'form 0', size: 70, gzip: 70, unsupported: 0 },
        { name: 'form 1', size: 120, gzip: 80, unsupported: 1 },
      ],
    },
    expect.objectContaining({ address: 'https://a.test/users', count: 1 }),
  ]);
  expect(sumOf(totals)).toMatchObject({
    count: 3,
    size: 300,
    gzip: 180,
    transferred: 210,
    forms: [
      { size: 80, unsupported: 0 },
      { size: 140, unsupported: 1 },
    ],
  });
  expect(sumOf([])).toBeUndefined();
});

/** Client that processes JSON bodies as the worker does. */
function clientOf(onCall: (name: string) => void): ReadingClient {
  let kept: unknown;
  const call = async (name: string, request: { bytes: Uint8Array; index: number }, options: CallOptions): Promise<unknown> => {
    onCall(name);
    options.signal?.throwIfAborted();
    if (name === 'sizeForm') return sizeForm(kept, request.index);
    kept = JSON.parse(new TextDecoder().decode(request.bytes)) as unknown;
    return { forms: FORMS.length, size: request.bytes.length, gzip: await gzipSize(request.bytes) };
  };
  return { call: call as unknown as ReadingClient['call'], close: () => undefined };
}

function settingOf(texts: readonly string[], onCall: (name: string) => void = () => undefined): SessionDependencies {
  const bodies = new Map(texts.map((text, index) => [rowOf(`https://a.test/${index}`, new Uint8Array(1), 9), new TextEncoder().encode(text)]));
  const rows = [...bodies.keys()];
  return {
    client: clientOf(onCall),
    bodies: { read: (exchange: unknown) => Promise.resolve({ bytes: bodies.get(rows.find((row) => row.exchange === exchange)!) }) },
    requests: { rows: { value: rows } },
    schemas: { formatFor: () => undefined, of: () => undefined },
  } as unknown as SessionDependencies;
}

test('the session’s “what if” tries every form on every body, and omits unreadable ones', async () => {
  const text = JSON.stringify(Array.from({ length: 50 }, (_, id) => ({ id, name: `station ${id}`, free: id % 3 === 0 })));
  const whatIf = new SessionWhatIf(settingOf([text, '{"a":', '{"a":1}']));
  await whatIf.run();
  expect(whatIf.progress.value).toEqual({ done: 3, all: 3 });
  expect([whatIf.isRunning.value, whatIf.left.value]).toEqual([false, 1]);
  const all = sumOf(whatIf.totals.value)!;
  expect([all.count, all.size, all.forms.length]).toEqual([2, text.length + 7, FORMS.length]);
  const named = new Map(all.forms.map((form) => [form.name, form]));
  expect(named.get('JSON')!.size).toBe(all.size);
  expect(named.get('MessagePack')!.size).toBeLessThan(all.size);
  expect(named.get('Avro')!.size).toBeLessThan(named.get('MessagePack, records')!.size);
});

test('the session’s “what if” stops on request, and keeps its results', async () => {
  let calls = 0;
  const whatIf: SessionWhatIf = new SessionWhatIf(
    settingOf(['[1]', '[2]', '[3]'], (name) => {
      if (name === 'sizeStart' && ++calls === 2) whatIf.stop();
    }),
  );
  await whatIf.run();
  expect(whatIf.isRunning.value).toBe(false);
  expect(whatIf.totals.value.map(({ count }) => count)).toEqual([1]);
  expect(calls).toBe(2);
  await whatIf.run();
  expect(sumOf(whatIf.totals.value)!.count).toBe(3);
});
