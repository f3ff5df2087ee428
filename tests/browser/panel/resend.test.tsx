import { Packr } from 'msgpackr';
import { describe, expect, it, vi } from 'vitest';
import type { Body, PageRequest } from '../../../devtools-extension/adapter/adapter.ts';
import { stagePanel } from '../../setup/panel/panel-stage.ts';

const packr = new Packr({ useRecords: false });
const pack = (value: unknown): Uint8Array => Uint8Array.from(packr.pack(value));
const stage = stagePanel();
const URL = 'https://site.test/orders?page=1&access_token=t-456';

const find = <T extends HTMLElement>(selector: string): T => stage.element.querySelector<T>(selector)!;
const button = (name: string): HTMLButtonElement =>
  Array.from(stage.element.querySelectorAll('button')).find(({ textContent }) => textContent === name)!;

/** Opens the form to send a request with a body again. */
async function draft(
  send: (request: PageRequest) => string | undefined,
  body: Body,
  pageOrigin = location.origin,
): Promise<ReturnType<typeof stage.mount>> {
  const adapter = stage.mount({ send });
  const requestHeaders = [
    { name: 'Content-Type', value: 'application/vnd.msgpack' },
    { name: 'Cookie', value: 'a=b' },
    { name: 'Authorization', value: 'Bearer abc.def' },
    { name: 'X-Api-Key', value: 'k-123' },
    { name: 'Origin', value: pageOrigin },
  ];
  const { id } = adapter.add({ url: URL, method: 'POST', requestHeaders, requestBody: () => Promise.resolve(body), bytes: pack({ ok: true }) });
  stage.panel.requests.flush();
  await stage.panel.selection.select(id);
  stage.panel.selection.tab.value = 'resend';
  await expect.poll(() => find<HTMLTextAreaElement>('.resend-body textarea')?.value ?? '').not.toBe('');
  return adapter;
}

function type(selector: string, text: string): void {
  const field = find<HTMLTextAreaElement>(selector);
  field.value = text;
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
}

async function confirmed(): Promise<void> {
  button('Send…').click();
  await expect.poll(() => find('dialog')?.textContent ?? '').toContain('Send this request?');
  button('Send POST').click();
}

describe('sending again', () => {
  it('requires a page', () => {
    const exchange = stage.mount().add({ url: URL });
    expect(stage.panel.resend.canSend(exchange)).toBe(false);
  });

  it('passes the edited value to the page and shows the response', async () => {
    const sent: PageRequest[] = [];
    const adapter = await draft((request) => void sent.push(request), { bytes: pack({ id: 1n << 60n, n: 1 }) });
    type('.resend-body textarea', find<HTMLTextAreaElement>('.resend-body textarea').value.replace('"n": 1', '"n": 2'));
    await confirmed();
    await expect.poll(() => sent.length).toBe(1);
    const [{ body, ...head }] = sent as [PageRequest];
    expect(head).toEqual({
      origin: location.origin,
      method: 'POST',
      url: URL,
      headers: [
        { name: 'Content-Type', value: 'application/vnd.msgpack' },
        { name: 'Authorization', value: 'Bearer abc.def' },
        { name: 'X-Api-Key', value: 'k-123' },
      ],
      credentials: 'include',
    });
    expect(packr.unpack(body!)).toEqual({ id: 1n << 60n, n: 2 });
    expect(find('.resend-sent').textContent).toContain('No response yet');
    adapter.add({ url: 'https://site.test/other', method: 'POST' });
    const { id } = adapter.add({ url: URL, method: 'POST', bytes: pack({ ok: false }) });
    await expect.poll(() => find('.resend-sent').textContent).toContain('The response is in the list');
    button('Open').click();
    await expect.poll(() => stage.panel.selection.id.value).toBe(id);
    expect(stage.element.querySelectorAll('[aria-label="sent from this panel"]').length).toBe(1);
  });

  it('shows the headers to be sent in the confirmation, with secrets masked', async () => {
    await draft(() => undefined, { bytes: pack([1]) });
    button('Send…').click();
    await expect.poll(() => find('dialog')?.textContent ?? '').toContain('Send this request?');
    expect(Array.from(find('dialog ul').children, ({ textContent }) => textContent)).toEqual([
      'Content-Type: application/vnd.msgpack',
      'Authorization: Bearer ••••••',
      'X-Api-Key: ••••••',
    ]);
    const [, address] = Array.from(stage.element.querySelectorAll('dialog dd'), ({ textContent }) => textContent);
    expect(address).toBe('https://site.test/orders?page=1&access_token=••••••');
  });

  it('fails if a page of another origin is open', async () => {
    const send = vi.fn();
    await draft(send, { bytes: pack([1]) }, 'https://left.test');
    button('Send…').click();
    await expect
      .poll(() => find('.resend [role=alert]')?.textContent ?? '')
      .toContain(`This request belongs to https://left.test, but the open page belongs to ${location.origin}`);
    expect(find('dialog')).toBeNull();
    expect(send).not.toHaveBeenCalled();
  });

  it('shows the error of the page', async () => {
    await draft(() => 'Failed to construct', { bytes: pack([1]) });
    await confirmed();
    await expect.poll(() => find('.resend [role=alert]')?.textContent ?? '').toContain('Failed to construct');
  });

  it('tells the line of an invalid value until it is changed', async () => {
    await draft(() => undefined, { bytes: pack({ list: [{ a: 1 }, { a: 2 }] }) });
    const area = '.resend-body textarea';
    type(area, '{\n  "list": [\n    1,\n    {"$tag": "none", "value": 1}\n  ]\n}');
    button('Send…').click();
    await expect.poll(() => find('.resend [role=alert]')?.textContent ?? '').toContain('Line 4: an unknown tag: none');
    expect(find(area).getAttribute('aria-invalid')).toBe('true');
    type(area, '[1]');
    await expect.poll(() => find('.resend [role=alert]')).toBeNull();
    expect(find(area).getAttribute('aria-invalid')).toBe('false');
  });
});
