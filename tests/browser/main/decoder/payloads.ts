import { Packr } from 'msgpackr';

export interface Row {
  id: number;
  name: string;
  score: number;
  active: boolean;
  tags: string[];
}

/** Records as an API would send them. */
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

/** MessagePack, in a buffer of its own. */
export function pack(value: unknown): Uint8Array<ArrayBuffer> {
  return new Uint8Array(packr.pack(value));
}

/** JSON in UTF-8. */
export function json(value: unknown): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(JSON.stringify(value));
}
