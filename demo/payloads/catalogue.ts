import { choicesOf, ENCODING_TABLE } from './encodings.ts';

export const SIZES = [10_000, 100_000, 1_000_000] as const;

/** Encodings of the race, by their name on the payload server. */
export type Encoding = 'json' | 'messagepack' | 'messagepack-records' | 'messagepack-records-bundled';

/** The format whose decoder reads an encoding. */
export type PayloadFormat = 'json' | 'messagepack';

/** Damage done to the payload before it is decoded. */
export type Damage = 'none' | 'cut' | 'byte' | 'page';

/** Form of Unspool's result. */
export type ResultKind = 'rows' | 'objects';

export interface Choice<Value> {
  value: Value;
  label: string;
  /** One sentence about it. */
  note: string;
}

export const ENCODINGS: readonly Choice<Encoding>[] = choicesOf('json', 'messagepack', 'messagepack-records', 'messagepack-records-bundled');

export const DAMAGES: readonly Choice<Damage>[] = [
  { value: 'none', label: 'Intact', note: 'As the server sends it.' },
  { value: 'cut', label: 'Cut short', note: 'The last two fifths are missing.' },
  { value: 'byte', label: 'One wrong byte', note: 'A byte in the middle of a string is not UTF-8.' },
  { value: 'page', label: 'An error page', note: 'HTML instead of data.' },
];

export const RESULT_KINDS: readonly Choice<ResultKind>[] = [
  { value: 'rows', label: 'Rows', note: 'Usable immediately; a row becomes an object when it is read. All objects are then built in slices.' },
  { value: 'objects', label: 'Objects', note: 'All rows as plain objects, built in slices.' },
];

export function formatOf(encoding: Encoding): PayloadFormat {
  return encoding === 'json' ? 'json' : 'messagepack';
}

export function encodingLabel(encoding: Encoding): string {
  return ENCODING_TABLE[encoding].label;
}
