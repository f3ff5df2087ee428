import { CborSimple, CborTag } from '../../core/formats/cbor/index.ts';

/**
 * Parses CBOR's Extended Diagnostic Notation (RFC 8949 section 8, RFC 8610 appendix G) as used by the test vectors. Commas
 * count as white space.
 */
export function parseEdn(text: string): unknown {
  const parser = new Parser(text);
  const value = parser.value();
  parser.end();
  return value;
}

/** White space, commas and comments. */
const BLANK = /(?:[\s,]|#[^\n]*)*/y;
const NUMBER = /-?(?:0x[0-9a-f]+|Infinity|\d+(?:\.\d+)?(?:e[+-]?\d+)?)/iy;
const WORD = /NaN|true|false|null|undefined/y;
const STRING = /"(?:[^"\\]|\\.)*"/y;
const BYTES = /h'([0-9a-f\s]*)'/iy;
const NAN = /float'[0-9a-f]+'/y;
const SIMPLE = /simple\((\d+)\)/y;

class Parser {
  #at = 0;
  readonly #text: string;

  constructor(text: string) {
    this.#text = text;
  }

  end(): void {
    this.#take(BLANK);
    if (this.#at < this.#text.length) this.#fail();
  }

  value(): unknown {
    this.#take(BLANK);
    const open = this.#text[this.#at];
    if (open === '[') return this.#list('[', ']');
    if (open === '{') return this.#map();
    if (open === '(') return join(this.#list('(', ')'));
    const string = this.#take(STRING);
    if (string) return JSON.parse(string[0]);
    const bytes = this.#take(BYTES);
    if (bytes) return fromHex(bytes[1]!);
    const word = this.#take(WORD);
    if (word) return { NaN, true: true, false: false, null: null, undefined }[word[0]];
    if (this.#take(NAN)) return NaN;
    const simple = this.#take(SIMPLE);
    if (simple) return new CborSimple(Number(simple[1]));
    const number = this.#take(NUMBER);
    if (!number) return this.#fail();
    if (this.#text[this.#at] !== '(') return toNumber(number[0]);
    const content = this.#list('(', ')');
    return tagged(Number(number[0]), content[0]);
  }

  #list(open: string, close: string): unknown[] {
    this.#open(open);
    const items: unknown[] = [];
    while (!this.#close(close)) items.push(this.value());
    return items;
  }

  #map(): unknown {
    this.#open('{');
    const entries: [unknown, unknown][] = [];
    while (!this.#close('}')) {
      const key = this.value();
      this.#take(BLANK);
      if (this.#text[this.#at] !== ':') this.#fail();
      this.#at += 1;
      entries.push([key, this.value()]);
    }
    if (entries.every(([key]) => typeof key === 'string')) return Object.fromEntries(entries);
    return new Map(entries);
  }

  #open(open: string): void {
    this.#at += open.length;
    if (this.#text[this.#at] === '_') this.#at += 1;
  }

  #close(close: string): boolean {
    this.#take(BLANK);
    if (this.#text[this.#at] !== close) return false;
    this.#at += 1;
    return true;
  }

  #take(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at = pattern.lastIndex;
    return match;
  }

  #fail(): never {
    throw new SyntaxError(`no EDN at ${this.#at}: ${this.#text.slice(this.#at, this.#at + 40)}`);
  }
}

function toNumber(text: string): number | bigint {
  if (/infinity|[.e]/i.test(text) && !/0x/i.test(text)) return Number(text);
  const value = text.startsWith('-') ? -BigInt(text.slice(1)) : BigInt(text);
  return value >= -(2n ** 53n) && value < 2n ** 53n ? Number(value) : value;
}

function tagged(tag: number, content: unknown): unknown {
  if (tag === 0) return new Date(content as string);
  if (tag === 1) return new Date((content as number) * 1000);
  if (tag === 32) return new URL(content as string);
  return new CborTag(tag, content);
}

/** The chunks of a string. */
function join(chunks: unknown[]): string | Uint8Array {
  if (chunks.every((chunk) => typeof chunk === 'string')) return chunks.join('');
  return Uint8Array.from((chunks as Uint8Array[]).flatMap((chunk) => [...chunk]));
}

/** Parses hexadecimal digits with optional white space. */
export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const digits = text.replace(/\s/g, '');
  return Uint8Array.from({ length: digits.length / 2 }, (_, i) => Number.parseInt(digits.slice(i * 2, i * 2 + 2), 16));
}
