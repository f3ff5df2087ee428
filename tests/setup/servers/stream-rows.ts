import { assertSame } from '../ways/differential.ts';

/** Where the stream server answers. */
export const STREAM = '/__streams';

export type StreamEncoding = 'json' | 'ndjson' | 'messagepack';

/** What became of a response of the stream server. */
export interface StreamState {
  /** Bytes that the server has handed to the system. */
  written: number;
  /** The connection is closed; all was sent. */
  closed: boolean;
  ended: boolean;
}

export interface StreamRow {
  id: string;
  station: string;
  at: number;
  distance: number;
  stops: string[];
  member: boolean;
  note: string | null;
}

/** After so many records a stream has the same ones again, so that the server need not make more. */
export const STREAM_CYCLE = 65_536;

/** The record at an index of every stream. */
export function streamRow(position: number): StreamRow {
  const index = position % STREAM_CYCLE;
  return {
    id: `ride-${(index * 2_654_435_761).toString(16)}`,
    station: `Station ${(index * 7_919) % 613}`,
    at: index,
    distance: index / 8,
    stops: index % 16 === 0 ? [`stop ${index % 97}`, 'end'] : [],
    member: index % 3 === 0,
    note: index % 5 === 0 ? `Größe ${index}` : null,
  };
}

/** Throws where these are not the records of a stream from an index on: all compared by their text, some strictly. */
export function assertStreamRows(rows: readonly StreamRow[], first = 0): void {
  const expected = Array.from(rows, (_, index) => streamRow(first + index));
  for (let index = 0; index < rows.length; index += 97) assertSame(rows[index], expected[index]);
  assertSame(rows.at(-1), expected.at(-1));
  // Quicker than looking at each value, and as exact for records of numbers and strings.
  if (JSON.stringify(rows) !== JSON.stringify(expected)) assertSame(rows, expected);
}

/** The address of a stream. */
export function streamUrl(request: Record<string, string | number>): string {
  return `${STREAM}?${new URLSearchParams(Object.entries(request).map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Lets the response with an id go on that its `hold` keeps back. */
export async function streamGoesOn(id: string): Promise<void> {
  await fetch(`${STREAM}?go=${id}`);
}

/** What became of the response with an id. */
export async function streamState(id: string): Promise<StreamState> {
  return (await (await fetch(`${STREAM}?state=${id}`)).json()) as StreamState;
}
