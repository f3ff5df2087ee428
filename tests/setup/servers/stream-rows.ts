import { assertSame } from '../ways/differential.ts';

/** Address of the stream server. */
export const STREAM = '/__streams';

export type StreamEncoding = 'json' | 'ndjson' | 'messagepack';

/** State of a response of the stream server. */
export interface StreamState {
  /** Bytes passed to the operating system. */
  written: number;
  /** `closed`: the connection is closed. `ended`: everything was sent. */
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

/** Records after which a stream repeats, so that the server can cache them. */
export const STREAM_CYCLE = 65_536;

/** The record at an index of a stream. */
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

/** Throws unless these are the records of a stream from `first` on. Compares all as JSON and some strictly. */
export function assertStreamRows(rows: readonly StreamRow[], first = 0): void {
  const expected = Array.from(rows, (_, index) => streamRow(first + index));
  for (let index = 0; index < rows.length; index += 97) assertSame(rows[index], expected[index]);
  assertSame(rows.at(-1), expected.at(-1));
  // Faster than comparing values, and as exact for numbers and strings.
  if (JSON.stringify(rows) !== JSON.stringify(expected)) assertSame(rows, expected);
}

/** The address of a stream. */
export function streamUrl(request: Record<string, string | number>): string {
  return `${STREAM}?${new URLSearchParams(Object.entries(request).map(([name, value]) => [name, String(value)])).toString()}`;
}

/** Resumes the response that `hold` has paused. */
export async function streamGoesOn(id: string): Promise<void> {
  await fetch(`${STREAM}?go=${id}`);
}

/** The state of the response with an id. */
export async function streamState(id: string): Promise<StreamState> {
  return (await (await fetch(`${STREAM}?state=${id}`)).json()) as StreamState;
}
