import { expect, test, vi } from 'vitest';

test('messages that arrive while the code loads are given first, in order', async () => {
  vi.resetModules();
  const { createDecoder } = await import('../../../../main/decoder/create-decoder.ts');
  const target = new EventTarget();
  const send = (data: string): boolean => target.dispatchEvent(Object.assign(new Event('message'), { data }));
  const messages = createDecoder().messages(target);
  const first = messages.next();
  send('1');
  send('2');
  expect((await first).value).toBe(1);
  send('3');
  expect((await messages.next()).value).toBe(2);
  expect((await messages.next()).value).toBe(3);
  const last = messages.next();
  target.dispatchEvent(new Event('close'));
  expect(await last).toEqual({ done: true, value: undefined });
});
