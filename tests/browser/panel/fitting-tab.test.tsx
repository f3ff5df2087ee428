import { describe, expect, it } from 'vitest';
import { stagePanel } from '../../setup/panel/panel-stage.ts';

const stage = stagePanel();
const find = <T extends Element>(selector: string): T | null => stage.element.querySelector<T>(selector);
const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const chosen = (): string | undefined => find('[role=tab][aria-selected=true]')?.textContent;

/** Opens a body. */
async function open(name: string, contentType: string, bytes: Uint8Array): Promise<void> {
  const { id } = adapter.add({ url: `https://site.test/${name}`, contentType, bytes });
  stage.panel.requests.flush();
  await stage.panel.selection.select(id);
  await expect.poll(() => stage.panel.selection.state.value.status).toBe('ready');
}
let adapter: ReturnType<typeof stage.mount>;

describe('the selected tab', () => {
  it('changes to the text for bodies without a value, and back to the tree', async () => {
    adapter = stage.mount();
    await open('a.css', 'text/css', utf8('a{b:c}'));
    await expect.poll(chosen).toBe('Text');
    await expect.poll(() => Array.from(stage.element.querySelectorAll('.text-line'), ({ textContent }) => textContent)).toEqual(['1a{b:c}']);
    await open('b', 'application/json', utf8('[1]'));
    await expect.poll(chosen).toBe('Tree and bytes');
  });

  it('stays on the bytes if they were selected', async () => {
    adapter = stage.mount();
    await open('a.css', 'text/css', utf8('a{}'));
    await expect.poll(chosen).toBe('Text');
    find<HTMLElement>('#tab-tree')!.click();
    await open('b.css', 'text/css', utf8('b{}'));
    await expect.poll(chosen).toBe('Bytes');
  });

  it('toggles between the value and the original text by key', async () => {
    adapter = stage.mount();
    await open('a.json', 'application/json', utf8('{"a":1}'));
    find<HTMLElement>('#tab-text')!.click();
    const lines = (): number => stage.element.querySelectorAll('.text-line').length;
    await expect.poll(lines).toBe(3);
    const press = (): boolean => find('.text-lines')!.dispatchEvent(new KeyboardEvent('keydown', { key: 'f', bubbles: true }));
    press();
    await expect.poll(lines).toBe(1);
    press();
    await expect.poll(lines).toBe(3);
  });
});
