/** Tables that sort and filter `Rows`, in a page. */
import { expect, onTestFinished, test } from 'vitest';
import { showTable } from '../../../docs/examples/24-plain-table/index.ts';

test('a table of plain elements sorts by its headers, filters by its field, and draws the rows at the scroll position', async () => {
  const container = document.body.appendChild(document.createElement('div'));
  onTestFinished(() => container.remove());
  await showTable(container, '/trips?rows=5000');
  const column = (index: number): (string | null)[] =>
    [...container.querySelectorAll('tbody tr')].map((row) => (row as HTMLTableRowElement).cells[index]!.textContent);
  const [header] = container.querySelectorAll<HTMLElement>('th button');
  expect(column(0).slice(0, 3)).toEqual(['0', '1', '2']);
  header!.click();
  expect(header!.parentElement!.ariaSort).toBe('ascending');
  header!.click();
  await expect.poll(() => column(0)[0]).toBe('4999');
  expect(header!.parentElement!.ariaSort).toBe('descending');
  const field = container.querySelector('input')!;
  for (const text of ['Station 1', 'Station 299']) {
    field.value = text;
    field.dispatchEvent(new InputEvent('input'));
  }
  await expect.poll(() => container.querySelector('output')!.textContent).toBe('16 of 5000');
  expect(column(1)).toEqual(Array.from({ length: 15 }, () => 'Station 299'));
  field.value = '';
  field.dispatchEvent(new InputEvent('input'));
  await expect.poll(() => container.querySelector('output')!.textContent).toBe('5000 of 5000');
  const scroller = container.querySelector('div')!;
  scroller.scrollTop = 2_400;
  await expect.poll(() => column(0)[0]).toBe('4899');
  scroller.scrollTop = scroller.scrollHeight;
  await expect.poll(() => column(0).at(-1)).toBe('0');
});
