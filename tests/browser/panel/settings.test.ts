import { beforeEach, expect, it } from 'vitest';
import { storedSignal } from '../../../devtools-extension/panel/shared/settings.ts';

beforeEach(() => localStorage.clear());

/** Another window of the same origin with its own settings. */
async function otherWindow(): Promise<Storage> {
  const frame = document.createElement('iframe');
  frame.src = new URL('/', location.href).href;
  document.body.append(frame);
  await new Promise((resolve) => frame.addEventListener('load', resolve));
  return frame.contentWindow!.localStorage;
}

it('adopts and extends the settings of another window', async () => {
  const list = storedSignal<string[]>('list', []);
  const other = await otherWindow();
  other.setItem('unspool-panel-list', '["theirs"]');
  await expect.poll(() => list.value).toEqual(['theirs']);
  list.value = [...list.value, 'ours'];
  expect(JSON.parse(other.getItem('unspool-panel-list')!)).toEqual(['theirs', 'ours']);
});

it('stores a setting under its name, with the first choice as its default', () => {
  const choice = storedSignal('choice', 'first');
  choice.value = 'second';
  expect(storedSignal('choice', 'first').value).toBe('second');
  expect(storedSignal('another', 'first').value).toBe('first');
});
