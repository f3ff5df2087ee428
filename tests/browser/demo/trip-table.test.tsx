import { expect, it, onTestFinished, vi } from 'vitest';
import { render } from 'vitest-browser-preact';
import { createDecoder, type Rows } from 'unspool';
import { createEncoder } from 'unspool/encode';
import { createFrameMonitor } from '../../../demo/frames/frame-monitor.ts';
import type { Trip } from '../../../demo/payloads/trips.ts';
import { tripAt } from '../../../demo/server/data/trips.mjs';
import { changeArray, changeRows, type Riders } from '../../../demo/table-page/change-trips.ts';
import { createTableSettings, createTripTable, type Holder } from '../../../demo/table-page/trip-table.ts';
import { TripTablePanel } from '../../../demo/table-page/trip-table-panel.tsx';
import '../../../demo/styles/index.css';

const trips: Trip[] = Array.from({ length: 4_000 }, (_, index) => tripAt(index));
const HOLDERS: readonly Holder[] = ['rows', 'array'];

/** A table of the trips, which a response has brought, and its panel. */
async function loaded(holder: Holder) {
  const format = holder === 'rows' ? 'messagepack' : 'json';
  const bytes = await createEncoder().encode({ trips }, { format });
  vi.stubGlobal('fetch', () => Promise.resolve(new Response(bytes as BodyInit)));
  const decoder = createDecoder({ workers: 1 });
  const monitor = createFrameMonitor();
  onTestFinished(() => {
    vi.unstubAllGlobals();
    decoder.close();
    monitor.stop();
  });
  const table = createTripTable(createTableSettings(new URLSearchParams({ as: holder })), decoder, monitor);
  await table.load();
  expect(table.error.value).toBeUndefined();
  const screen = render(<TripTablePanel table={table} />);
  const first = (): string | null | undefined => screen.container.querySelector('[aria-rowindex="2"] [role=gridcell]')?.textContent;
  return { screen, table, first };
}

it.each(HOLDERS)('a click on a header sorts the %s, a second one reverses them, and a third one restores their order', async (holder) => {
  const { screen, first } = await loaded(holder);
  const header = screen.getByRole('button', { name: 'start_lat' }).element() as HTMLElement;
  // Sorts are stable, also the descending one.
  const ascending = trips.toSorted((one, other) => one.start_lat - other.start_lat);
  const descending = trips.toSorted((one, other) => other.start_lat - one.start_lat);
  for (const [trip, direction] of [
    [ascending[0]!, 'ascending'],
    [descending[0]!, 'descending'],
    [trips[0]!, null],
  ] as const) {
    header.click();
    await expect.poll(first).toBe(trip.ride_id);
    expect(header.parentElement!.ariaSort).toBe(direction);
  }
});

it.each(HOLDERS)('two fields filter the %s, the number of trips says so, and the chart follows', async (holder) => {
  const { screen, table } = await loaded(holder);
  const bars = (): number => screen.container.querySelectorAll('.station-chart dt').length;
  await expect.poll(bars).toBe(9);
  const field = screen.getByRole('searchbox').element() as HTMLInputElement;
  field.value = ' Broadway ';
  field.dispatchEvent(new InputEvent('input', { bubbles: true }));
  const found = trips.filter(({ start_station_name: name }) => name.includes('Broadway'));
  await expect.element(screen.getByText(`${found.length} of 4,000 trips`)).toBeVisible();
  // Not with `selectOptions`, whose timers Vitest does not have in WebKitGTK.
  const riders = screen.getByRole('combobox').element() as HTMLSelectElement;
  riders.value = 'casual';
  riders.dispatchEvent(new Event('change', { bubbles: true }));
  const casual = found.filter(({ member_casual: riders }) => riders === 'casual');
  await expect.element(screen.getByText(`${casual.length} of 4,000 trips`)).toBeVisible();
  expect(bars()).toBe(Math.min(9, new Set(casual.map(({ start_station_id: id }) => id)).size));
  await table.search('no such station');
  await expect.element(screen.getByText('0 of 4,000 trips')).toBeVisible();
  await expect.element(screen.getByText('No trip fits.')).toBeVisible();
  expect(bars()).toBe(0);
});

it('a change cancels the one before', async () => {
  const { screen, table } = await loaded('rows');
  await Promise.all([table.sortBy('ride_id'), table.search('broad'), table.search('no such station')]);
  await expect.element(screen.getByText('0 of 4,000 trips')).toBeVisible();
  expect(table.isChanging.value).toBe(false);
  expect(table.wanted.value.order).toEqual({ key: 'ride_id', descending: false });
});

it('rows and arrays give the same trips in the same order, with the same counts', async () => {
  const { trips: rows } = await createDecoder().decode<{ trips: Rows<Trip> }>(await createEncoder().encode({ trips }, { format: 'json' }), {
    as: 'rows',
    format: 'json',
  });
  const keys = Object.keys(trips[0]!);
  for (const [at, key] of keys.entries()) {
    const wanted = {
      text: ['', 'park'][at % 2]!,
      riders: (['all', 'member', 'casual'] as Riders[])[at % 3]!,
      order: { key, descending: at % 4 > 1 },
    };
    const ofRows = await changeRows(rows, wanted, new AbortController().signal);
    const ofArray = changeArray(trips, wanted);
    expect([...(ofRows.rows as Rows<Trip>)], key).toEqual(ofArray.rows);
    expect(ofRows.counts).toEqual(ofArray.counts);
  }
});
