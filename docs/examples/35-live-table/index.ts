import { createDecoder, type Rows, type RowsView } from 'unspool';
import type { Trip, Trips } from './trip.ts';

const decoder = createDecoder();
const KEYS = ['id', 'station', 'minutes'] as const;

/** Trips that are refetched, and a view of them that stays filtered and sorted. */
export class LiveTrips {
  readonly view: RowsView<Trip>;
  readonly #url: string;
  #last: { trips: Rows<Trip> };

  private constructor(url: string, last: { trips: Rows<Trip> }, view: RowsView<Trip>) {
    this.#url = url;
    this.#last = last;
    this.view = view;
  }

  static async load(url: string): Promise<LiveTrips> {
    const trips = await fetchTrips(url, undefined);
    return new LiveTrips(url, trips, await trips.trips.view({ filter: { member: true }, sortBy: 'station' }));
  }

  /** Fetches once more. What has not changed stays. */
  async refetch(): Promise<void> {
    this.#last = await fetchTrips(this.#url, this.#last);
    await this.view.update(this.#last.trips);
  }

  /** Refetches until the signal is aborted, with a pause after each answer. */
  async poll(signal: AbortSignal, pauseMs = 1000): Promise<void> {
    while (!signal.aborted) {
      await this.refetch();
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
    }
  }
}

async function fetchTrips(url: string, previous: { trips: Rows<Trip> } | undefined): Promise<{ trips: Rows<Trip> }> {
  const response = await decoder.fetch(url);
  if (!response.ok) throw new Error(`${url}: ${response.status}`);
  return response.rows<Trips>({ previous });
}

/** Shows the first rows of a view in a table, whose headers sort. A row is drawn when it shows another trip. Returns a function that ends it. */
export function showView(table: HTMLTableElement, view: RowsView<Trip>, count: number, onDraw?: (trip: Trip) => void): () => void {
  const head = table.createTHead().insertRow();
  for (const key of KEYS) {
    const button = document.createElement('button');
    button.textContent = key;
    button.addEventListener('click', () => void view.update({ sortBy: key }));
    head.appendChild(document.createElement('th')).append(button);
  }
  const body = table.createTBody();
  const drawn: Trip[] = [];

  function draw(): void {
    const { rows } = view;
    const length = Math.min(count, rows.length);
    while (body.rows.length > length) body.deleteRow(-1);
    for (let index = 0; index < length; index += 1) {
      const trip = rows.at(index)!;
      const isThere = index < body.rows.length;
      if (isThere && drawn[index] === trip) continue;
      const row = isThere ? body.rows[index]! : body.insertRow();
      row.replaceChildren();
      for (const key of KEYS) row.insertCell().textContent = String(trip[key]);
      drawn[index] = trip;
      onDraw?.(trip);
    }
    drawn.length = length;
  }

  draw();
  return view.subscribe(draw);
}
