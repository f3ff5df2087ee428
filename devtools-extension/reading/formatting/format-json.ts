import { indentOf } from './indent.ts';

/** A string, possibly unterminated; a punctuator; or other characters up to the next one. */
const TOKEN = /"[^"\\]*(?:\\[^][^"\\]*)*"?|[[\]{},:]|[^\s"[\]{},:]+/g;

/**
 * Formats JSON with one value per line. Tokens keep their spelling, so numbers and escapes stay as sent. Damaged text is
 * formatted as far as its brackets allow; concatenated values get a line each.
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

/** True if one value directly follows another, as in a sequence. */
function isBetweenValues(before: string, token: string): boolean {
  return !/^[[{,:]?$/.test(before) && !/^[\]},:]$/.test(token);
}
