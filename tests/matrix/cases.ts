import type { InvalidText } from '../../core/sinks/invalid-text.ts';
import type { Random } from '../fuzz/mutate.ts';
import { mutate } from '../fuzz/mutate.ts';
import { FORMATS, type FormatLine } from './formats.ts';
import type { Payload } from './payload.ts';
import { type Shape, SHAPES, valueFor } from './shapes.ts';

/** A line of the matrix: what has happened to the bytes of a payload. */
export interface State {
  readonly name: string;
  /** Share of the shape’s size, since what is damaged early is not read far. */
  readonly share: number;
  /** The bytes that arrive. */
  readonly change: (payload: Payload, random: Random) => Uint8Array<ArrayBuffer>;
  /** How text that is not UTF-8 is decoded. Default: as an error. */
  readonly invalidText?: InvalidText;
}

export const STATES: readonly State[] = [
  { name: 'valid', share: 0.4, change: ({ bytes }) => bytes },
  { name: 'valid and small', share: 0.01, change: ({ bytes }) => bytes },
  { name: 'cut before its last byte', share: 0.1, change: ({ bytes }) => bytes.slice(0, -1) },
  { name: 'cut', share: 0.1, change: ({ bytes }, random) => bytes.slice(0, 1 + random.below(bytes.length)) },
  { name: 'damaged', share: 0.05, change: damaged },
  { name: 'damaged again', share: 0.02, change: damaged },
  { name: 'with text that is replaced', share: 0.05, change: withInvalidText, invalidText: 'replace' },
  { name: 'with text that becomes bytes', share: 0.04, change: withInvalidText, invalidText: 'bytes' },
];

function damaged({ bytes }: Payload, random: Random): Uint8Array<ArrayBuffer> {
  return mutate(random, bytes, [bytes]) as Uint8Array<ArrayBuffer>;
}

/** Replaces some letters by bytes that UTF-8 has not. */
function withInvalidText({ bytes }: Payload, random: Random): Uint8Array<ArrayBuffer> {
  const changed = bytes.slice();
  for (let count = 0; count < 5; count += 1) {
    const from = random.below(bytes.length);
    const at = changed.findIndex((byte, index) => index >= from && byte >= 0x61 && byte <= 0x7a);
    if (at >= 0) changed[at] = 0xff;
  }
  return changed;
}

const env = (import.meta as { env?: Record<string, string> }).env;
const tier = setting('UNSPOOL_TIER') ?? 'deep';

/** A variable of the environment. Vitest gives a page those of its project. */
export function setting(name: string): string | undefined {
  return globalThis.process?.env?.[name] ?? env?.[name];
}

/** One case of how many a tier runs. */
export function oneIn(quick: number, rest: number, deep: number): number {
  return tier === 'quick' ? quick : tier === 'rest' ? rest : deep;
}

/**
 * Whether a case is among one in `count`. The lines of each table are counted on, so that the cases are spread evenly: each line of
 * a table meets each line of another.
 */
export function isChosen(count: number, ...lines: readonly number[]): boolean {
  return lines.reduce((sum, line, axis) => sum + line * STRIDES[axis]!, OFFSET) % count === 0;
}

export const IS_BROWSER = 'document' in globalThis;
/** Browsers take other cases than Node. */
const OFFSET = IS_BROWSER ? 3 : 0;

/** Without a common factor with the counts that tiers use. */
const STRIDES = [1, 7, 11, 17];

/** The pairs of formats and shapes that exist. */
export const PAIRS: readonly { line: FormatLine; shape: Shape; title: string; format: number; index: number }[] = FORMATS.flatMap((line, format) =>
  SHAPES.map((shape, index) => ({ line, shape, title: `${shape.name} in ${line.name}`, format, index })),
).filter(({ line, shape }) => payloadExists(line, shape));

function payloadExists(line: FormatLine, shape: Shape): boolean {
  return shape.raw?.[line.name] !== undefined || valueFor(line, shape, shape.size) !== undefined;
}
