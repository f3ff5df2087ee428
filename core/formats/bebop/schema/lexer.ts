import { SchemaError } from '../../../errors.ts';

/** One token of a `.bop` text: a word, a number, a string without its quotes, or a sign. */
export interface Token {
  kind: 'word' | 'number' | 'string' | 'sign' | 'end';
  text: string;
  line: number;
}

/**
 * White space and comments, then: a string, in which quotes are doubled or escaped; a guid or number; a word; a sign. A
 * number may contain letters, as in 0x1f, 1e9 and guids.
 */
const PATTERN =
  /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)|("(?:[^"\\]|\\[\s\S]|"")*"|'(?:[^'\\]|\\[\s\S]|'')*')|(\d[\w.]*(?:-[\da-fA-F]+)*)|([A-Za-z_]\w*(?:-[\da-fA-F]+){0,4})|(->|<<|>>|[-+*/|&^~(){}[\]:;,=<>@?.])/gy;

/** Splits a text into tokens, the last of which is the end. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = [];
  let line = 1;
  let at = 0;
  PATTERN.lastIndex = 0;
  while (at < text.length) {
    PATTERN.lastIndex = at;
    const match = PATTERN.exec(text);
    if (!match) throw new SchemaError(`line ${line}: unexpected ${JSON.stringify(text.slice(at, at + 10))}`);
    const [all, string, number, word, sign] = match;
    if (string !== undefined) tokens.push({ kind: 'string', text: string.slice(1, -1), line });
    else if (number !== undefined) tokens.push({ kind: 'number', text: number, line });
    else if (word !== undefined) tokens.push({ kind: 'word', text: word, line });
    else if (sign !== undefined) tokens.push({ kind: 'sign', text: sign, line });
    for (const char of all) if (char === '\n') line += 1;
    at += all.length;
  }
  tokens.push({ kind: 'end', text: 'the end', line });
  return tokens;
}
