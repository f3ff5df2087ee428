import { indentOf } from './indent.ts';

/** A string, also one without an end; a sign; anything else up to the next of them. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[[\]{},:]|[^\s"[\]{},:]+/g;

/**
 * JSON text with a line for each value. Every token stays as it is spelled, so that numbers and escapes are those of the
 * sender. Damaged text is formatted as far as its brackets tell; values one after another get a line each.
 */
export function formatJson(text: string): string {
  const parts: string[] = [];
  let depth = 0;
  let before = '';
  for (const [token] of text.matchAll(TOKEN)) {
    const isEnd = token === '}' || token === ']';
    const isSeparator = token === ',' || token === ':';
    const isAfterBegin = before === '{' || before === '[';
    if (isEnd) depth = Math.max(0, depth - 1);
    if (before === ':' && !isEnd) parts.push(' ');
    else if (before === ',' || isAfterBegin !== isEnd || isBetweenValues(before, token)) {
      if (before !== '' && !isSeparator) parts.push('\n', indentOf(depth));
    }
    parts.push(token);
    if (token === '{' || token === '[') depth += 1;
    before = token;
  }
  return parts.join('');
}

/** Whether a value follows another with nothing between them, as in a sequence. */
function isBetweenValues(before: string, token: string): boolean {
  return !/^[[{,:]?$/.test(before) && !/^[\]},:]$/.test(token);
}
