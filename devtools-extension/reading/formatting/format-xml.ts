import { indentOf } from './indent.ts';

type Kind = 'open' | 'close' | 'empty' | 'text' | 'other';

interface Token {
  kind: Kind;
  from: number;
  end: number;
}

/** Sections that are one token each, regardless of their content. */
const SECTIONS: readonly (readonly [begin: string, end: string, kind: Kind])[] = [
  ['<!--', '-->', 'other'],
  ['<![CDATA[', ']]>', 'text'],
  ['<?', '?>', 'other'],
];

/**
 * Formats XML with one element per line. Text never changes: an element with mixed content, or with
 * `xml:space="preserve"`, stays as sent. Damaged text is formatted as far as its tags allow.
 */
export function formatXml(text: string): string {
  const tokens = tokensOf(text);
  const ends = endsOf(text, tokens);
  const lines: string[] = [];
  let depth = 0;
  for (let index = 0; index < tokens.length; index += 1) {
    const { kind, from, end } = tokens[index]!;
    const closing = ends[index]!;
    if (closing > index) {
      lines.push(indentOf(depth) + text.slice(from, tokens[closing]!.end));
      index = closing;
      continue;
    }
    if (kind === 'close') depth = Math.max(0, depth - 1);
    const line = text.slice(from, end).trim();
    if (line !== '') lines.push(indentOf(depth) + line);
    if (kind === 'open') depth += 1;
  }
  return lines.join('\n');
}

/** Last token of each element that is kept unformatted, by its first token; 0 for others. */
function endsOf(text: string, tokens: readonly Token[]): Uint32Array {
  const ends = new Uint32Array(tokens.length);
  const open: { index: number; hasText: boolean; hasElements: boolean }[] = [];
  for (const [index, { kind, from, end }] of tokens.entries()) {
    const parent = open.at(-1);
    if (kind === 'text') {
      if (parent && /\S/.test(text.slice(from, end))) parent.hasText = true;
    } else if (kind === 'open') {
      if (parent) parent.hasElements = true;
      open.push({ index, hasText: /\sxml:space\s*=\s*["']preserve/.test(text.slice(from, end)), hasElements: false });
    } else if (kind === 'empty') {
      if (parent) parent.hasElements = true;
    } else if (kind === 'close') {
      const closed = open.pop();
      if (closed && (closed.hasText || !closed.hasElements)) ends[closed.index] = index;
    }
  }
  return ends;
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; at < text.length;) {
    const token = text[at] === '<' ? markupAt(text, at) : { kind: 'text' as const, from: at, end: endOf(text, '<', at, 0) };
    tokens.push(token);
    at = token.end;
  }
  return tokens;
}

function markupAt(text: string, from: number): Token {
  for (const [begin, end, kind] of SECTIONS) if (text.startsWith(begin, from)) return { kind, from, end: endOf(text, end, from, end.length) };
  const end = tagEnd(text, from);
  const kind = text[from + 1] === '/' ? 'close' : text[from + 1] === '!' ? 'other' : text[end - 2] === '/' ? 'empty' : 'open';
  return { kind, from, end };
}

/** End of a tag, after its `>`. Ignores `>` in quotes and within the brackets of a DOCTYPE. */
function tagEnd(text: string, from: number): number {
  let brackets = 0;
  for (let at = from + 1; at < text.length; at += 1) {
    const sign = text[at]!;
    if (sign === '"' || sign === "'") {
      const quote = text.indexOf(sign, at + 1);
      if (quote < 0) return text.length;
      at = quote;
    } else if (sign === '[') brackets += 1;
    else if (sign === ']') brackets -= 1;
    else if (sign === '>' && brackets <= 0) return at + 1;
  }
  return text.length;
}

function endOf(text: string, sign: string, from: number, length: number): number {
  const found = text.indexOf(sign, from + 1);
  return found < 0 ? text.length : found + length;
}
