import { Packr } from 'msgpackr';

export interface Row {
  id: number;
  name: string;
  score: number;
  active: boolean;
  tags: string[];
}

/** Records like those of an API. */
export function makeRows(count: number): Row[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    name: `row ${id}`,
    score: id / 7,
    active: id % 3 === 0,
    tags: id % 5 === 0 ? ['first', 'fifth'] : [],
  }));
}

const packr = new Packr({ useRecords: false });

/** Encodes MessagePack into its own buffer. */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(packr.pack(value));
}

/** Encodes JSON. */
export function json(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
