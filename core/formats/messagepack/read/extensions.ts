import { DecodeError, LimitError } from '../../../errors.ts';
import { type Limits, MAX_TOKEN_LENGTH } from '../../../limits.ts';
import { BINARY_KINDS, type Sink } from '../../../reading/sink.ts';
import { Anchors } from './anchors.ts';
import { CUT as NO_BUNDLE_YET, NOT_A_BUNDLE, type BundledStrings } from './bundles.ts';
import { readBigInteger } from '../../../bytes/numbers.ts';
import { readTimestamp } from '../timestamp.ts';
import type { Records } from './records.ts';
import { EXTENSION_TAG } from '../revive.ts';
import type { Containers } from '../../../reading/containers.ts';
import { DEFINITION, EXTENSION, SET, TAGGED } from './containers.ts';
import { TYPED_ARRAYS } from '../typed-arrays.ts';

/** Results of `read`. More bytes are needed. */
export const CUT = 0;
/** A complete value, sent to the sink. */
export const VALUE = 1;
/** A part of the value that follows. */
export const PREFIX = 2;
/** The head of a container, which is now open. */
export const OPEN = 3;

/** msgpackr's codes of typed arrays: the index into `BINARY_KINDS` by code, and the size of an element. */
const ARRAYS = TYPED_ARRAYS.map((name) => BINARY_KINDS.indexOf(name as 'Int8Array'));
const ELEMENT = [1, 1, 1, 2, 2, 4, 4, 4, 8, 8, 8, 0, 0, 0, 0, 0, 1, 1];

const NO_BYTES = new Uint8Array(0);
const NO_VIEW = new DataView(NO_BYTES.buffer);

/** A record definition. */
interface Definition {
  /** The id that it defines: its first byte minus 0x40, and its second or −1. */
  first: number;
  second: number;
  /** The keys so far. */
  keys: string[];
  /** The id of the keys, −1 for none, or the keys themselves if a reference to them was given. */
  keysId: number;
  knownKeys: readonly string[] | undefined;
}

interface Setting {
  msgpackr?: boolean | undefined;
  valueExtensions?: readonly number[] | undefined;
}

/**
 * Reads extensions:
 *
 *     0xd4 to 0xd8    int8 type, 1, 2, 4, 8 or 16 bytes
 *     0xc7            uint8 length, int8 type, bytes
 *     0xc8            uint16 length, int8 type, bytes
 *     0xc9            uint32 length, int8 type, bytes
 */
export class Extensions {
  /** The position after the extension. */
  next = 0;
  /** How many bytes are needed from the given position, if `read` returned CUT. */
  needed = 0;
  /** The latest DEFINITION opened. */
  readonly definition: Definition = { first: 0, second: -1, keys: [], keysId: -1, knownKeys: undefined };

  #bytes: Uint8Array = NO_BYTES;
  #view: DataView = NO_VIEW;
  #to = 0;
  #base = 0;
  readonly #sink: Sink;
  readonly #stack: Containers;
  readonly #longest: number;
  readonly #bundle: BundledStrings;
  readonly #records: Records;
  readonly #msgpackr: boolean;
  readonly #valueTypes: readonly number[] | undefined;
  /** The ids of structured clones. */
  readonly anchors = new Anchors();

  constructor(sink: Sink, stack: Containers, limits: Limits, setting: Setting, bundle: BundledStrings, records: Records) {
    this.#sink = sink;
    this.#stack = stack;
    this.#longest = Math.min(limits.binaryLength, MAX_TOKEN_LENGTH);
    this.#bundle = bundle;
    this.#records = records;
    this.#msgpackr = setting.msgpackr !== false;
    this.#valueTypes = setting.valueExtensions;
  }

  /** Sets the window of the following calls: bytes up to `to`, at the offset `base` of the input. */
  window(bytes: Uint8Array, view: DataView, to: number, base: number): void {
    this.#bytes = bytes;
    this.#view = view;
    this.#to = to;
    this.#base = base;
  }

  /** Reads the extension at `at`, of which at least the first byte is available. */
  read(at: number): number {
    const bytes = this.#bytes;
    const view = this.#view;
    const to = this.#to;
    const base = this.#base;
    const token = bytes[at]!;
    const from = at + (token >= 0xd4 ? 2 : token === 0xc9 ? 6 : token - 0xc4);
    if (from > to) return this.#cut(from - at);
    const type = view.getInt8(from - 1);
    let length: number;
    if (token >= 0xd4) length = 1 << (token - 0xd4);
    else if (token === 0xc7) length = bytes[at + 1]!;
    else if (token === 0xc8) length = view.getUint16(at + 1);
    else length = view.getUint32(at + 1);
    const end = from + length;
    this.next = end;
    if (this.#msgpackr && type === 0x62 && length >= 4) return this.#readBundle(at, from, length);
    if (length > this.#longest) {
      throw new LimitError('binaryLength', `binaryLength limit exceeded: an extension of ${length} bytes`, { offset: base + at });
    }
    if (end > to) return this.#cut(end - at);

    if (type === -1) {
      if (length === 4 || length === 8 || length === 12) {
        const milliseconds = readTimestamp(view, from, length);
        if (milliseconds === undefined) fail('malformed', 'invalid timestamp: more than 999,999,999 nanoseconds', base + at);
        this.#sink.date(milliseconds, at, end);
        return VALUE;
      }
      // msgpackr writes an invalid Date as an invalid timestamp.
      if (!this.#msgpackr || token !== 0xd4) fail('malformed', `invalid timestamp size: ${length} bytes`, base + at);
      this.#sink.date(NaN, at, end);
      return VALUE;
    }
    if (this.#msgpackr) {
      const found = this.#readMsgpackr(token, type, at, from, end);
      if (found >= 0) return found;
    }
    const sink = this.#sink;
    const start = at;
    if (token === 0xd4 && this.#valueTypes?.includes(type)) {
      sink.beginTagged(EXTENSION_TAG, start, end);
      sink.beginArray(2, start, end);
      sink.integer(type, start, end);
      return this.#openTagged(EXTENSION, start);
    }
    sink.beginTagged(EXTENSION_TAG, start, from);
    sink.beginArray(2, start, from);
    sink.integer(type, from - 1, from);
    sink.binary(0, start, from, end);
    sink.endArray(end);
    sink.endTagged(end);
    return VALUE;
  }

  /** Reads the extension at `at` before a key: a prefix of the key, or undefined. */
  readBeforeKey(at: number): number {
    const token = this.#bytes[at]!;
    const from = at + (token >= 0xd4 ? 2 : token === 0xc9 ? 6 : token - 0xc4);
    if (from >= this.#to) return this.#cut(from + 1 - at);
    if (this.#msgpackr && this.#bytes[from - 1] === 0x62) {
      const found = this.read(at);
      if (found !== VALUE) return found;
    }
    this.next = from + 1;
    if (this.#msgpackr && token === 0xd4 && this.#bytes[from - 1] === 0 && this.#bytes[from] === 0) return VALUE;
    return fail('unsupported', 'a key that is an extension: set the option maps to "map"', this.#base + at);
  }

  /** Returns −1 if the extension does not have the exact form that msgpackr writes. */
  #readMsgpackr(token: number, type: number, at: number, from: number, end: number): number {
    const sink = this.#sink;
    const bytes = this.#bytes;
    const base = this.#base;
    // A single byte 0 means that the content is the value that follows.
    const before = token === 0xd4 && bytes[from] === 0;
    switch (type) {
      case 0x00:
        if (!before) return -1;
        sink.undefined(at, end);
        return VALUE;
      case 0x42:
        if (end === from) return -1;
        sink.bigint(this.#bigint(from, end), at, end);
        return VALUE;
      case 0x65:
      case 0x78:
        if (!before) return -1;
        sink.beginTagged(type === 0x65 ? 'Error' : 'RegExp', at, end);
        return this.#openTagged(TAGGED, at);
      case 0x73:
        return before ? this.#openList(SET, at) : -1;
      case 0x69:
        return token === 0xd6 ? this.#readAnchor(this.#view.getUint32(from), at) : -1;
      case 0x70:
        if (token !== 0xd6) return -1;
        sink.reference(this.anchors.find(this.#view.getUint32(from), base + at), at, end);
        return VALUE;
      case 0x72: {
        if (token !== 0xd4 && token !== 0xd5) return -1;
        const id = bytes[from]!;
        if (id < 0x40 || id > 0x7f) fail('malformed', `invalid record id ${id}`, base + from);
        this.definition.first = id - 0x40;
        this.definition.second = token === 0xd5 ? bytes[from + 1]! : -1;
        return this.#openDefinition(at);
      }
      case 0x74: {
        if (end === from) return -1;
        const code = bytes[from]!;
        const kind = ARRAYS[code] ?? -1;
        if (kind < 0) fail('unsupported', `unknown typed array code ${code}`, base + from);
        if ((end - from - 1) % ELEMENT[code]! !== 0) {
          fail('malformed', `a ${BINARY_KINDS[kind]} has ${end - from - 1} bytes`, base + at);
        }
        sink.binary(kind, at, from + 1, end);
        return VALUE;
      }
      default:
        return -1;
    }
  }

  /**
   * A pointer to bundled strings: `uint32` distance from its own position to the bundle. The data after it may contain
   * the bundle used so far.
   */
  #readBundle(at: number, from: number, length: number): number {
    const bundle = this.#bundle;
    const view = this.#view;
    const to = this.#to;
    const place = this.#base + at;
    if (from + 4 > to) return this.#cut(from + 4 - at);
    const distance = view.getUint32(from);
    if (distance < length) fail('malformed', 'bundled strings have a negative offset', place);
    if (distance > MAX_TOKEN_LENGTH) fail('unsupported', 'bundled strings that are more than 1 GiB away', place);
    if (bundle.active) {
      // The bundle stays active until the next one has arrived, and is then checked again.
      const after = bundle.finish(from + 4, this.#base);
      if (after !== from + length) fail('malformed', 'bundled strings of an unexpected length', place);
      bundle.active = true;
    } else if (length !== 4) {
      fail('malformed', 'bundled strings have no pointer to them', place);
    }
    const found = bundle.load(this.#bytes, view, from + distance, to);
    if (found === NO_BUNDLE_YET) return this.#cut(bundle.needed - at);
    if (found === NOT_A_BUNDLE) fail('malformed', 'invalid target of a pointer to bundled strings', place);
    this.next = from + length;
    return PREFIX;
  }

  /** Reads the head of the array that must follow the extension. */
  #openList(kind: number, at: number): number {
    const head = this.next;
    const to = this.#to;
    if (head >= to) return this.#cut(head + 1 - at);
    const token = this.#bytes[head]!;
    let count: number;
    if (token >= 0x90 && token <= 0x9f) {
      count = token & 15;
      this.next = head + 1;
    } else if (token === 0xdc || token === 0xdd) {
      this.next = head + (token === 0xdc ? 3 : 5);
      if (this.next > to) return this.#cut(this.next - at);
      count = token === 0xdc ? this.#view.getUint16(head + 1) : this.#view.getUint32(head + 1);
    } else {
      fail('malformed', `a ${kind === SET ? 'set' : 'record definition'} has no array`, this.#base + head);
    }
    if (kind === SET) this.#sink.beginSet(count, at, this.next);
    return this.#open(kind, count, at);
  }

  /**
   * Opens the keys of a record definition. Among structured clones they are an array like any other: they may have an
   * id, and when the same structure is defined again, a reference to it may replace them.
   */
  #openDefinition(at: number): number {
    const head = this.next;
    const place = this.#base + head;
    const { definition } = this;
    definition.keys = [];
    definition.keysId = -1;
    definition.knownKeys = undefined;
    if (head >= this.#to) return this.#cut(head + 1 - at);
    if (this.#bytes[head] !== 0xd6) return this.#openList(DEFINITION, at);
    this.next = head + 6;
    if (this.next > this.#to) return this.#cut(this.next - at);
    const type = this.#bytes[head + 1]!;
    const id = this.#view.getUint32(head + 2);
    if (type === 0x70) {
      definition.knownKeys = this.anchors.findKeys(id, place);
      return this.#open(DEFINITION, 0, at);
    }
    if (type !== 0x69) fail('malformed', 'a record definition has no array of keys', place);
    const found = this.#openList(DEFINITION, at);
    if (found === OPEN) {
      this.anchors.addKeys(id, place);
      definition.keysId = id;
    }
    return found;
  }

  #openTagged(kind: number, at: number): number {
    this.anchors.openTagged(this.#base + at);
    return this.#open(kind, 1, at);
  }

  #open(kind: number, count: number, at: number): number {
    this.#stack.took();
    this.#stack.push(kind, count, this.#base + at);
    return OPEN;
  }

  /** Reads an id for the value that follows, which must have an identity. */
  #readAnchor(id: number, at: number): number {
    const offset = this.#base + at;
    const identity = this.#hasIdentity(this.next);
    if (identity < 0) return this.#cut(this.needed - at);
    if (identity === 0) fail('malformed', 'an id precedes a value that cannot be referenced', offset);
    this.#sink.anchor(this.anchors.add(id, this.#base + this.next, offset), at, this.next);
    return PREFIX;
  }

  /** Returns 1 if the value at `at` is an object of some kind, 0 if not, −1 if bytes up to `needed` are needed. */
  #hasIdentity(at: number): number {
    const bytes = this.#bytes;
    const to = this.#to;
    const token = at < to ? bytes[at]! : -1;
    if (token >= 0x80 && token <= 0x9f) return 1;
    if ((token >= 0xc4 && token <= 0xc6) || (token >= 0xdc && token <= 0xdf)) return 1;
    if (token >= 0x40 && token <= 0x7f) return this.#records.bytes[token - 0x40] === 0 ? 0 : 1;
    if (token >= 0 && !((token >= 0xc7 && token <= 0xc9) || (token >= 0xd4 && token <= 0xd8))) return 0;
    const from = token < 0 ? at + 1 : at + (token >= 0xd4 ? 2 : token === 0xc9 ? 6 : token - 0xc4);
    this.needed = token === 0xd4 ? from + 1 : from;
    if (this.needed > to) return -1;
    const type = bytes[from - 1]!;
    if (type === 0x42 || type === 0x62 || type === 0x69 || type === 0x70) return 0;
    return token === 0xd4 && type === 0 && bytes[from] === 0 ? 0 : 1;
  }

  #bigint(from: number, end: number): bigint {
    try {
      return BigInt.asIntN((end - from) * 8, readBigInteger(this.#bytes, from, end));
    } catch {
      return fail('unsupported', `the integer takes ${end - from} bytes`, this.#base + from);
    }
  }

  #cut(needed: number): number {
    this.needed = needed;
    return CUT;
  }
}

function fail(code: DecodeError['code'], reason: string, offset: number): never {
  throw new DecodeError(code, reason, { offset });
}
