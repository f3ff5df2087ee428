import { CLOSE_BRACKET, COMMA, OPEN_BRACKET } from '../../../bytes/text/json-bytes.ts';
import { skipWhite } from '../bytes.ts';
import { numberRun, NUMBERS, readNumbers } from './numbers.ts';

/** Minimum count of numbers before the end of the bytes or of the run for the list around it to be opened. */
const LONG = 256;

/** Bytes searched for a comma or bracket at the end of the input: numbers are seldom longer. */
const NEAR = 64;

/** Result of reading a list of numbers. */
export interface NumberRun {
  /** The list, and the lists inside it that are open after the last item, outermost first. They are not linked yet. */
  readonly lists: unknown[][];
  /** Position after the last item. */
  readonly end: number;
  /** Number of lists created. */
  readonly created: number;
}

/**
 * Reads items of a list from `at` on that are numbers, lists of numbers, or lists of such lists, and end before `to`.
 * Adds them to `list`, or to a new list if it is empty, with at most `levels` nested levels. Returns undefined if
 * nothing was read. Anything else is left to the engine's parser, which is slower for numbers since it needs their text.
 */
export function readNumberLists(list: unknown[], bytes: Uint8Array, at: number, to: number, levels: number): NumberRun | undefined {
  const last = lastMark(bytes, at, to);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const lists = [list];
  let innermost = list;
  let next = at;
  let end = at;
  /** Number of lists open at `end`. */
  let open = 1;
  let created = 0;
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
        created += 1;
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
      const closed = innermost;
      innermost = lists.at(-1)!;
      innermost.push(closed);
      next += 1;
    }
    if (bytes[next] !== COMMA) break;
    next += 1;
  }
  if (end === at) return undefined;
  lists.length = open;
  return { lists, end, created };
}

/** Position of the last comma or closing bracket in `at..to`; `at` if not found nearby. */
function lastMark(bytes: Uint8Array, at: number, to: number): number {
  const from = Math.max(at, to - NEAR);
  for (let last = to - 1; last > from; last -= 1) if (bytes[last] === COMMA || bytes[last] === CLOSE_BRACKET) return last;
  return at;
}

/** Appends the first `count` of `NUMBERS` to a list. */
function addNumbers(list: unknown[], count: number): void {
  if (numberRun.integers) addIntegers(list as number[], count);
  else addFloats(list as number[], count);
}

// Engines record for each code location the kind of numbers its lists hold, so floats and integers use separate
// functions.

function addFloats(list: number[], count: number): void {
  for (let at = 0; at < count; at += 1) list.push(NUMBERS[at]!);
}

function addIntegers(list: number[], count: number): void {
  for (let at = 0; at < count; at += 1) list.push(NUMBERS[at]! | 0);
}

/** Creates a list of the first `count` of `NUMBERS`. */
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
      // A copy is sized exactly, and leaves no garbage behind.
      return NUMBERS.slice(0, count);
  }
}

/** Buffer for longer lists of integers. */
const INTEGERS: number[] = [];
const FEW = 16;

function integers(count: number): number[] {
  // Not unrolled like floats: code that reads the lists would make engines treat those literals as lists of any values.
  const list = count < FEW ? new Array<number>(count) : INTEGERS;
  for (let at = 0; at < count; at += 1) list[at] = NUMBERS[at]! | 0;
  return count < FEW ? list : list.slice(0, count);
}
