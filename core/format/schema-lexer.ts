import { SchemaError } from '../errors.ts';

/** Tokens of a language: blanks with comments, and groups for words, numbers and signs. Both expressions are sticky. */
export interface Tokens {
  readonly blank: RegExp;
  readonly token: RegExp;
  /** Characters that begin and end a string. */
  readonly quotes: string;
}

const BLANK = /\s+|\/\/[^\n]*|\/\*[^]*?\*\//y;
const TOKEN = /([A-Za-z_]\w*)|(0[xX][\da-fA-F]+|\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?)|([=;{}[\]()<>,:.+\-/])/y;

const OF_C: Tokens = { blank: BLANK, token: TOKEN, quotes: `"'` };

/** Splits the text of a schema, such as a `.proto`, into tokens: names, numbers, strings in quotes, and signs, by default with comments of C. */
export class SchemaLexer {
  /** Kind of the current token, and its text; for a string, without quotes, with escapes as written. */
  kind: 'word' | 'number' | 'string' | 'sign' | 'end' = 'end';
  token = '';
  readonly #text: string;
  readonly #file: string;
  readonly #tokens: Tokens;
  #start = 0;
  #at = 0;

  /** `file` is named in errors, unless it is empty. */
  constructor(text: string, file = '', tokens = OF_C) {
    this.#text = text;
    this.#file = file;
    this.#tokens = tokens;
    this.next();
  }

  /** Advances to the next token. */
  next(): void {
    const text = this.#text;
    const { blank, token, quotes } = this.#tokens;
    for (blank.lastIndex = this.#at; blank.test(text); this.#at = blank.lastIndex);
    const start = this.#at;
    this.#start = start;
    if (start === text.length) {
      this.kind = 'end';
      this.token = 'the end';
      return;
    }
    const first = text[start]!;
    if (quotes.includes(first)) {
      const end = this.#stringEnd(first);
      this.kind = 'string';
      this.token = text.slice(start + 1, end);
      this.#at = end + 1;
      return;
    }
    token.lastIndex = start;
    const match = token.exec(text);
    if (!match || text.startsWith('/*', start)) this.fail(first === '/' ? 'unterminated comment' : `unexpected ${JSON.stringify(first)}`);
    this.token = match[0];
    this.kind = match[1] !== undefined ? 'word' : match[2] !== undefined ? 'number' : 'sign';
    this.#at = token.lastIndex;
  }

  /** Skips a word or sign if it is the current token. */
  take(token: string): boolean {
    if (this.token !== token || (this.kind !== 'word' && this.kind !== 'sign')) return false;
    this.next();
    return true;
  }

  /** Skips a word or sign, which must be the current token. */
  expect(token: string): void {
    if (!this.take(token)) this.unexpected(`“${token}”`);
  }

  /** Skips and returns a token, which must be of the given kind. */
  read(kind: 'word' | 'number' | 'string'): string {
    const { token } = this;
    if (this.kind !== kind) this.unexpected(kind === 'word' ? 'a name' : `a ${kind}`);
    this.next();
    return token;
  }

  unexpected(expected: string): never {
    return this.fail(`expected ${expected} but found ${this.kind === 'string' ? 'a string' : this.token.slice(0, 40)}`);
  }

  /** Position of the current token in the text. */
  get start(): number {
    return this.#start;
  }

  /** Throws a SchemaError with the line and the column of a position, by default that of the current token. */
  fail(reason: string, start: number = this.#start): never {
    throw new SchemaError(`${this.place(start)}: ${reason}`);
  }

  /** The file, the line and the column of a position. */
  place(start: number): string {
    let line = 1;
    let begin = 0;
    for (let at = this.#text.indexOf('\n'); at >= 0 && at < start; at = this.#text.indexOf('\n', begin)) {
      line += 1;
      begin = at + 1;
    }
    const place = `line ${line}, column ${start - begin + 1}`;
    return this.#file === '' ? place : `${this.#file}: ${place}`;
  }

  #stringEnd(quote: string): number {
    const text = this.#text;
    for (let at = this.#start + 1; at < text.length; at += 1) {
      const char = text[at]!;
      if (char === quote) return at;
      if (char === '\n') break;
      if (char === '\\') at += 1;
    }
    return this.fail('unterminated string');
  }
}
