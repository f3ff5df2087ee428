import type { Sink } from '../../reading/sink.ts';
import { decodeUtf8 } from './text.ts';

/** A sink that may repair text that is not UTF-8; otherwise such text is an error. */
export type Repairs = Pick<Sink, 'repairedText'>;

/** `decodeUtf8` for readers, which decode some text themselves: repaired, if the sink of the reader repairs text. */
export function textFor({ repairedText }: Repairs, bytes: Uint8Array, from: number, end: number, base: number): string {
  return (repairedText ?? decodeUtf8)(bytes, from, end, base);
}
