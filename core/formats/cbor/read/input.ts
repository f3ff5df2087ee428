import { DecodeError, LimitError } from '../../../errors.ts';
import { type Limits, MAX_TOKEN_LENGTH } from '../../../limits.ts';
import type { Repairs } from '../../../bytes/text/text-for.ts';

/** The argument of a head with indefinite length (additional information 31). */
export const INDEFINITE = -1;

/** Returned instead of a position if bytes are missing up to `Input.reach`. */
export const CUT = -1;

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

/** The reader's window, with methods that read heads. */
export class Input {
  bytes: Uint8Array = NO_BYTES;
  view: DataView = NO_VIEW;
  /** Where the bytes end. */
  to = 0;
  /** Offset of the first byte in the complete input. */
  base = 0;

  /** The argument of the latest head; past 2⁵³ the nearest number. */
  value = 0;
  /** The position after the latest item or head. */
  next = 0;
  /** Up to where bytes are needed, if an item is cut. */
  reach = 0;
  /** Start of the latest string's content. */
  from = 0;
  /** The sink's. */
  repairedText: Repairs['repairedText'];
  readonly stringLength: number;
  readonly binaryLength: number;
  readonly #limits: Limits;

  constructor(limits: Limits) {
    this.stringLength = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.binaryLength = Math.min(limits.binaryLength, MAX_TOKEN_LENGTH);
    this.#limits = limits;
  }

  /**
   * Reads the head of the data item at `at` (RFC 8949 section 3): 3 bits major type, 5 bits additional information. The
   * latter is the argument itself below 24, or says for 24 to 27 that it follows in 1, 2, 4 or 8 bytes. False if it is
   * cut.
   */
  head(at: number): boolean {
    this.reach = at + 1;
    if (at >= this.to) return false;
    const information = this.bytes[at]! & 31;
    this.next = at + 1;
    this.value = information;
    if (information < 24) return true;
    if (information > 27) {
      if (information < 31) this.fail('malformed', `the additional information ${information} is reserved`, at);
      this.value = INDEFINITE;
      return true;
    }
    this.reach = this.next = at + 1 + (1 << (information - 24));
    if (this.next > this.to) return false;
    const { view } = this;
    if (information === 24) this.value = this.bytes[at + 1]!;
    else if (information === 25) this.value = view.getUint16(at + 1);
    else if (information === 26) this.value = view.getUint32(at + 1);
    else this.value = view.getUint32(at + 1) * 0x1_0000_0000 + view.getUint32(at + 5);
    return true;
  }

  /**
   * Reads the head and content of the byte or text string of definite length at `at`: the content is `from..next`.
   * False if it is cut.
   */
  string(at: number, limit: 'stringLength' | 'binaryLength'): boolean {
    if (!this.head(at)) return false;
    if (this.value > this[limit]) this.exceed(limit, at);
    this.from = this.next;
    this.reach = this.next += this.value;
    return this.next <= this.to;
  }

  fail(code: DecodeError['code'], reason: string, at: number): never {
    throw new DecodeError(code, reason, { offset: this.base + at });
  }

  exceed(limit: keyof Limits, at: number): never {
    throw new LimitError(limit, `${limit} limit exceeded (${this.#limits[limit]})`, {
      offset: this.base + at,
    });
  }
}
