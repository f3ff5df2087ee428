import { createDecoder, type Rows } from 'unspool';
import type { Trip, Trips } from './trip.ts';

const decoder = createDecoder();
const KEYS = ['id', 'station', 'minutes', 'member'] as const;
const ROW_HEIGHT = 24;

/** Loads trips into an element, as a table that is sorted by a click on a header and filtered by a field. */
export async function showTable(container: HTMLElement, url: string): Promise<void> {
  const response = await decoder.fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  const { trips } = await response.rows<Trips>();

  const field = document.createElement('input');
  field.type = 'search';
  field.ariaLabel = 'Station contains';
  const found = document.createElement('output');
  const scroller = document.createElement('div');
  Object.assign(scroller.style, { height: '400px', overflow: 'auto' });
  const table = document.createElement('table');
  table.style.position = 'sticky';
  table.style.top = '0';
  const space = document.createElement('div');
  scroller.append(table, space);
  container.replaceChildren(field, found, scroller);

  let shown: Rows<Trip> = trips;
  let order: { key: (typeof KEYS)[number]; descending: boolean } | undefined;
  let change = new AbortController();

  const head = table.createTHead().insertRow();
  const body = table.createTBody();
  for (const key of KEYS) {
    const header = document.createElement('th');
    const button = document.createElement('button');
    button.textContent = key;
    button.addEventListener('click', () => {
      order = { key, descending: order?.key === key && !order.descending };
      for (const other of head.cells) other.ariaSort = null;
      header.ariaSort = order.descending ? 'descending' : 'ascending';
      void update();
    });
    header.append(button);
    head.append(header);
  }

  /** Draws the rows at the scroll position: only these become objects. */
  function draw(): void {
    // The header takes the place of a row.
    const count = Math.floor(scroller.clientHeight / ROW_HEIGHT) - 1;
    const first = Math.max(0, Math.min(Math.floor(scroller.scrollTop / ROW_HEIGHT), shown.length - count));
    body.replaceChildren();
    for (const trip of shown.slice(first, first + count)) {
      const row = body.insertRow();
      row.style.height = `${ROW_HEIGHT}px`;
      for (const key of KEYS) row.insertCell().textContent = String(trip[key]);
    }
  }

  /** Filters and sorts, in slices. A newer change cancels this one. */
  async function update(): Promise<void> {
    change.abort();
    change = new AbortController();
    const { signal } = change;
    try {
      const matching = await trips.where('station', { includes: field.value }, { signal });
      shown = order ? await matching.sortBy(order, { signal }) : matching;
    } catch (error) {
      if (signal.aborted) return;
      throw error;
    }
    found.textContent = `${shown.length} of ${trips.length}`;
    space.style.height = `${shown.length * ROW_HEIGHT}px`;
    scroller.scrollTop = 0;
    draw();
  }

  field.addEventListener('input', () => void update());
  scroller.addEventListener('scroll', draw);
  await update();
}
