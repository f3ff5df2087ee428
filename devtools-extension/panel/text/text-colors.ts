/** Token type of a piece of text, for colouring. */
export type PieceKind = 'plain' | 'string' | 'number' | 'word' | 'name';

/** A coloured piece of a line. */
export interface Piece {
  kind: PieceKind;
  text: string;
}

/** Tokens of JSON; the groups are named after piece kinds. */
const TOKENS =
  /(?<name>"[^"\\]*(?:\\.[^"\\]*)*"(?=\s*:))|(?<string>"[^"\\]*(?:\\.[^"\\]*)*"?)|(?<number>(?<![\w$.])-?\d+(?:\.\d+)?(?:e[+-]?\d+)?)|(?<word>\b(?:true|false|null)\b)/gi;

/** Splits a line of JSON into coloured pieces. Lines are tokenized separately. */
export function piecesOf(line: string): Piece[] {
  const pieces: Piece[] = [];
  let at = 0;
  for (const { 0: text, index, groups } of line.matchAll(TOKENS)) {
    if (index > at) pieces.push({ kind: 'plain', text: line.slice(at, index) });
    const [kind] = Object.entries(groups!).find(([, found]) => found !== undefined)!;
    pieces.push({ kind: kind as PieceKind, text });
    at = index + text.length;
  }
  if (at < line.length) pieces.push({ kind: 'plain', text: line.slice(at) });
  return pieces;
}
