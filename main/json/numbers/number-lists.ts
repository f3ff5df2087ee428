import { CLOSE_BRACKET, COMMA, OPEN_BRACKET, skipWhite } from '../bytes.ts';
import { numberRun, NUMBERS, readNumbers } from './numbers.ts';

/** A list is opened where the bytes end in it, or the run, if it has so many numbers before. */
const LONG = 256;

/** A mark that is no closer to the end of the bytes is not looked for: a number is seldom that long. */
const NEAR = 64;

/** What has been read of a list of numbers. */
export interface NumberRun {
  /** The list, and in it, one in another, the lists that are open behind the last item. They are not in one another yet. */
  readonly lists: unknown[][];
  /** Where the last item ends. */
  readonly end: number;
  /** How many lists have been made. */
  readonly made: number;
}

/**
 * Reads items of a list from `at` on, as far as they are numbers, lists of numbers, or lists of such lists, and end before
 * `to`. They are added to `list`, or are a new list where that is empty, with at most so many `levels` of lists below it.
 * Undefined where there is none.
 *
 * V8 takes twice as long for numbers, with the text that it needs. What is not read here is for the engine.
 */
export function readNumberLists(list: unknown[], bytes: Uint8Array, at: number, to: number, levels: number): NumberRun | undefined {
  const last = lastMark(bytes, at, to);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const lists = [list];
  let innermost = list;
  let next = at;
  let end = at;
  /** How many lists are open there. */
  let open = 1;
  let made = 0;
  while (next < last) {
    next = skipWhite(bytes, next, last);
    if (bytes[next] === OPEN_BRACKET) {
      if (lists.length > levels) break;
      next = skipWhite(bytes, next + 1, last);
      const first = bytes[next];
      const count = readNumbers(bytes, view, next, last);
      if (count > 0) next = numberRun.end;
      if (bytes[next] === CLOSE_BRACKET && (count > 0 || first === CLOSE_BRACKET)) {
        innermost.push(listOf(count));
        made += 1;
        next += 1;
      } else if (count >= LONG || first === OPEN_BRACKET) {
        lists.push((innermost = count > 0 ? listOf(count) : []));
        if (count === 0) continue;
      } else break;
    } else {
      const count = readNumbers(bytes, view, next, last);
      if (count === 0) break;
      if (innermost.length > 0) addNumbers(innermost, count);
      else lists[lists.length - 1] = innermost = listOf(count);
      next = numberRun.end;
    }
    for (;;) {
      end = next;
      open = lists.length;
      next = skipWhite(bytes, next, last);
      if (bytes[next] !== CLOSE_BRACKET || open === 1 || next > last) break;
      lists.pop();
      const inner = innermost;
      innermost = lists.at(-1)!;
      innermost.push(inner);
      next += 1;
    }
    if (bytes[next] !== COMMA) break;
    next += 1;
  }
  if (end === at) return undefined;
  lists.length = open;
  return { lists, end, made };
}

/** The position of the last comma or closing bracket in `at..to`; `at` where there is none nearby. */
function lastMark(bytes: Uint8Array, at: number, to: number): number {
  const from = Math.max(at, to - NEAR);
  for (let last = to - 1; last > from; last -= 1) if (bytes[last] === COMMA || bytes[last] === CLOSE_BRACKET) return last;
  return at;
}

/** Adds the first of `NUMBERS` to a list. */
function addNumbers(list: unknown[], count: number): void {
  if (numberRun.integers) addIntegers(list as number[], count);
  else addFloats(list as number[], count);
}

// Engines learn for each place in the source what kind of numbers its lists hold: floats and integers have places of their own.

function addFloats(list: number[], count: number): void {
  for (let at = 0; at < count; at += 1) list.push(NUMBERS[at]!);
}

function addIntegers(list: number[], count: number): void {
  for (let at = 0; at < count; at += 1) list.push(NUMBERS[at]! | 0);
}

/** A list of the first of `NUMBERS`. */
function listOf(count: number): number[] {
  return numberRun.integers ? integers(count) : floats(count);
}

function floats(count: number): number[] {
  switch (count) {
    case 2:
      return [NUMBERS[0]!, NUMBERS[1]!];
    case 3:
      return [NUMBERS[0]!, NUMBERS[1]!, NUMBERS[2]!];
    case 4:
      return [NUMBERS[0]!, NUMBERS[1]!, NUMBERS[2]!, NUMBERS[3]!];
    default:
      // A copy has room for no more than there is, and nothing is left behind for the collector.
      return NUMBERS.slice(0, count);
  }
}

/** The integers of `NUMBERS`, on their way, where they are more than a few. */
const INTEGERS: number[] = [];
const FEW = 16;

function integers(count: number): number[] {
  // Not written out as above: engines would have learnt of those places that they hold any values, from who reads the lists.
  const list = count < FEW ? new Array<number>(count) : INTEGERS;
  for (let at = 0; at < count; at += 1) list[at] = NUMBERS[at]! | 0;
  return count < FEW ? list : list.slice(0, count);
}
