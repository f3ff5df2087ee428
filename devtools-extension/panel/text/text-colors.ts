import type { Language } from '../../reading/file-types/language.ts';

/** Token type of a piece of text, for colouring. */
export type PieceKind = 'plain' | 'comment' | 'string' | 'number' | 'word' | 'name';

/** A coloured piece of a line. */
export interface Piece {
  kind: PieceKind;
  text: string;
}

const STRING = String.raw`"[^"\\]*(?:\\.[^"\\]*)*"?|'[^'\\]*(?:\\.[^'\\]*)*'?`;
const NUMBER = String.raw`(?<![\w$.])-?(?:0[xob][\da-f_]+n?|\d[\d_]*(?:\.\d+)?(?:e[+-]?\d+)?n?)`;
const KEYWORDS =
  'async|await|break|case|catch|class|const|continue|debugger|default|delete|do|else|export|extends|false|finally|for|from|function|get|if|import|in|instanceof|let|new|null|of|return|set|static|super|switch|this|throw|true|try|typeof|undefined|var|void|while|with|yield';

/** Regular expressions by language; their groups are named after piece kinds. */
const PATTERNS: Readonly<Record<Language, RegExp>> = {
  json: new RegExp(
    String.raw`(?<name>"[^"\\]*(?:\\.[^"\\]*)*"(?=\s*:))|(?<string>"[^"\\]*(?:\\.[^"\\]*)*"?)|(?<number>${NUMBER})|(?<word>\b(?:true|false|null)\b)`,
    'gi',
  ),
  javascript: new RegExp(
    String.raw`(?<comment>\/\/.*|\/\*[^]*?(?:\*\/|$))|(?<string>${STRING}|\`[^\`\\]*(?:\\.[^\`\\]*)*\`?)|(?<number>${NUMBER})|(?<word>(?<![\w$.])(?:${KEYWORDS})(?![\w$]))`,
    'g',
  ),
  css: new RegExp(
    String.raw`(?<comment>\/\*[^]*?(?:\*\/|$))|(?<string>${STRING})|(?<word>@[\w-]+|!important\b)|(?<name>^\s+[\w-]+(?=\s*:\s))|(?<number>#[\da-f]{3,8}\b|(?<![\w-])-?(?:\d*\.)?\d+(?:%|[a-z]+\b)?)`,
    'gi',
  ),
  xml: markup(),
  html: markup(),
};
/** Middle line of a block comment in the usual style. */
const WITHIN_COMMENT = /^\s*\*(?:[\s/]|$)/;

/** Splits a line into coloured pieces. Lines are tokenized separately, so a string that spans several lines is plain. */
export function piecesOf(line: string, language: Language): Piece[] {
  if (WITHIN_COMMENT.test(line) && (language === 'javascript' || language === 'css')) return [{ kind: 'comment', text: line }];
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: text, index, groups } of line.matchAll(PATTERNS[language])) {
    if (text === '') continue;
    if (index > at) pieces.push({ kind: 'plain', text: line.slice(at, index) });
    const [kind] = Object.entries(groups!).find(([, found]) => found !== undefined)!;
    pieces.push({ kind: kind as PieceKind, text });
    at = index + text.length;
  }
  if (at < line.length) pieces.push({ kind: 'plain', text: line.slice(at) });
  return pieces;
}

function markup(): RegExp {
  return /(?<comment><!--[^]*?(?:-->|$))|(?<name><\/?[\w:.-]+|\/?>|<\?[\w-]+|\?>)|(?<string>(?<==)\s*(?:"[^"]*"?|'[^']*'?))|(?<number>(?<=\s)[\w:.-]+(?==))|(?<word>&[\w#]+;|<!\w+|<!\[CDATA\[|\]\]>)/g;
}
