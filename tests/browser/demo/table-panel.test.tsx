import { expect, it, onTestFinished } from 'vitest';
import { render } from 'vitest-browser-preact';
import { createDecoder } from 'unspool';
import { TablePanel } from '../../../demo/table/table-panel.tsx';
import { createTableView } from '../../../demo/table/table-view.ts';
import '../../../demo/styles/index.css';

const STATIONS = ['Central Park', 'Broadway', 'North End', 'East Side'];
const trips = Array.from({ length: 4_000 }, (_, at) => ({
  ride_id: `R${at}`,
  start_station_name: STATIONS[at % 3]!,
  start_lat: (at * 7_919) % 4_000,
}));

/** A panel of trips that a worker has decoded to rows. */
async function panel() {
  const decoder = createDecoder({ workers: 1 });
  onTestFinished(() => decoder.close());
  const bytes = new TextEncoder().encode(JSON.stringify({ trips }));
  const { trips: rows } = await decoder.decode<{ trips: typeof trips }>(bytes, { as: 'rows', format: 'json', route: 'worker' });
  const view = createTableView();
  await view.open(rows);
  const screen = render(<TablePanel view={view} columns={['ride_id', 'start_station_name', 'start_lat']} total={rows.length} />);
  const first = (): string | null | undefined => screen.container.querySelector('.rows-view [role=row] [role=gridcell]')?.textContent;
  return { screen, view, first };
}

it('a click on a header sorts the rows, a second one reverses them, and a third one restores their order', async () => {
  const { screen, first } = await panel();
  const header = screen.getByRole('button', { name: 'start_lat' }).element() as HTMLElement;
  const byLat = trips.toSorted((one, other) => one.start_lat - other.start_lat);
  for (const id of [byLat[0]!.ride_id, byLat.at(-1)!.ride_id, 'R0']) {
    header.click();
    await expect.poll(first).toBe(id);
  }
  header.click();
  await expect.poll(() => header.parentElement!.ariaSort).toBe('ascending');
});

it('the search field filters the rows, the number of rows says so, and the chart follows', async () => {
  const { screen, view, first } = await panel();
  const chart = (): string[] => [...screen.container.querySelectorAll('.station-chart dt')].map(({ textContent }) => textContent);
  await expect.poll(chart).toEqual(STATIONS.slice(0, 3));
  const field = screen.getByRole('searchbox').element() as HTMLInputElement;
  field.value = 'north';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  await expect.poll(first).toBe('R2');
  await expect.poll(chart).toEqual(['North End']);
  await expect.element(screen.getByText('1,333 of 4,000 rows')).toBeVisible();
  await Promise.all([view.search('nor'), view.search('no such station')]);
  await expect.element(screen.getByText('0 of 4,000 rows')).toBeVisible();
  expect(chart()).toEqual([]);
});

it('arrays have no controls', async () => {
  const view = createTableView();
  await view.open(trips);
  const screen = render(<TablePanel view={view} columns={['ride_id']} total={trips.length} />);
  await expect.poll(() => screen.container.querySelector('[role=gridcell]')?.textContent).toBe('R0');
  expect(screen.container.querySelectorAll('button, input')).toHaveLength(0);
});
