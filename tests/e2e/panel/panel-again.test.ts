import { describe, expect, test } from 'vitest';
import { panelSession } from '../../setup/panel/panel-session.ts';

const session = panelSession();
const fetchAgain = (): Promise<void> => session.panel.getByRole('button', { name: 'Fetch it again as bytes' }).click();
const treeText = (): Promise<string | null> => session.panel.locator('.tree').textContent();

describe('a body that DevTools does not deliver', () => {
  test('as it was sent is fetched again as bytes', async () => {
    await session.fetchAll('/mislabelled.json');
    await session.open('mislabelled.json');
    expect(await session.panel.locator('.detail-facts').innerText()).toContain('some bytes may be lost');
    await fetchAgain();
    await expect.poll(treeText).toContain('price: 1.5');
    expect(await session.panel.locator('.detail-facts').innerText()).not.toContain('some bytes may be lost');
  });

  test('because it has more than 15 MB is fetched again', async () => {
    await session.fetchAll('/huge.msgpack');
    await session.rows('huge.msgpack').first().click();
    await fetchAgain();
    await expect.poll(treeText).toContain('part: 0');
  });
});
