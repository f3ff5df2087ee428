import type { PartialDecode } from '../../../main/partial.ts';
import { notKept, notPrefix } from '../values/prefix.ts';
import { outcome } from './differential.ts';

/**
 * Pushes the chunks, asks for the value after each, and returns the value or the error of the end. Throws if a value in part
 * is not a beginning of the whole one, if a finished part does not stay the same object, or if a value changes later.
 * `isLoose` leaves out the first two, for input that repeats a key.
 */
export function decodeInPart(partial: PartialDecode<unknown>, chunks: Iterable<Uint8Array | string>, isLoose = false): ReturnType<typeof outcome> {
  const parts: { part: unknown; text: string }[] = [];
  const all = outcome(() => {
    for (const chunk of chunks) {
      partial.push(chunk);
      const part = partial.value;
      if (part === undefined || part === parts.at(-1)?.part) continue;
      const problem = isLoose ? undefined : notKept(parts.at(-1)?.part, part);
      if (problem !== undefined) throw new Error(`part ${parts.length}: ${problem}`);
      parts.push({ part, text: textOf(part) });
    }
    return partial.finish();
  });
  for (const [at, { part, text }] of parts.entries()) {
    if (textOf(part) !== text) throw new Error(`part ${at} was changed: ${text} is now ${textOf(part)}`);
    const problem = 'value' in all && !isLoose ? notPrefix(part, all.value) : undefined;
    if (problem !== undefined) throw new Error(`part ${at}: ${problem}`);
  }
  const last = parts.at(-1)?.part;
  const problem = 'value' in all && !isLoose ? notKept(last, all.value) : undefined;
  if (problem !== undefined) throw new Error(`the whole value: ${problem}`);
  return all;
}

/** Chunks of `step` bytes. */
export function* cutEvery(bytes: Uint8Array, step: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += step) yield bytes.subarray(at, at + step);
}

function textOf(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === 'bigint') return `${part}n`;
    return part instanceof Map || part instanceof Set ? [...part] : part;
  });
}
