import { textFor } from '../../../bytes/text/text-for.ts';
import { BYTES, contentOf, NUMBER, TEXT } from './content.ts';
import { Definitions } from './definitions.ts';
import { KEPT, type KeepsRecords } from '../../../kept-records.ts';
import { CUT, INDEFINITE } from '../read/input.ts';
import { FOUND, ITEM_CUT, OTHER } from '../read/items.ts';
import { bigFloat, decimalFraction } from '../numbers.ts';
import { Records } from '../read/records.ts';
import { OBJECT_TAG, SIMPLE_TAG, UNKNOWN_TAG } from '../revive.ts';
import { sendScalar } from './sharing.ts';
import { EMBEDDED, MAP, PACKED, PACKED_VALUE, RECORD, SET, TABLE, TAGGED, UNKNOWN } from '../read/stack.ts';
import type { TagContext } from './tag-context.ts';

const NONE = -2;

const MAJOR_TYPES = ['unsigned integer', 'negative integer', 'byte string', 'text string', 'array', 'map'];

/**
 * Reads tags (major type 6, RFC 8949 section 3.4): a head, and enough of the content to tell the type. Reads a complete
 * value, the head of a container, or a prefix of the value that follows.
 */
export class Tags {
  readonly definitions: Definitions;
  readonly #context: TagContext;

  constructor(context: TagContext) {
    this.#context = context;
    this.definitions = new Definitions(context);
  }

  /** Reads the tag at `at`. Returns the position after it, or CUT. */
  read(at: number): number {
    const { input, options } = this.#context;
    if (!input.head(at)) return CUT;
    const tag = input.value;
    const from = input.next;
    if (tag === INDEFINITE) input.fail('malformed', 'a tag must not have an indefinite length', at);
    const content = contentOf(tag);
    if (content === TEXT) return this.#readText(tag, at, from);
    if (content === BYTES) return this.#readBytes(tag, at, from);
    if (content === NUMBER) return this.#readNumber(tag, at, from);
    if (options.cborx !== false) {
      const next = this.#readCborX(tag, at, from);
      if (next !== NONE) return next;
    }
    switch (tag) {
      case 4:
      case 5:
        return options.decimals === 'tag' ? this.#openUnknown(tag, at, from) : this.#readDecimal(tag, at, from);
      case 24:
        return this.#readEmbedded(at, from);
      case 258: // a set (https://github.com/input-output-hk/cbor-sets-spec)
        return this.#openHead(SET, 4, tag, at, from);
      case 21066: // a regular expression: [source, flags]
        return this.#major(4, tag, from) ? this.#openTagged('RegExp', at, from) : CUT;
      case 55799: // self-described CBOR (RFC 8949 section 3.4.6)
        return from;
      default:
        return this.#openUnknown(tag, at, from);
    }
  }

  /** Reads a reference to a packed value, or an unknown simple value (RFC 8949 section 3.3). Returns like `read`. */
  readSimple(at: number): number {
    const { input, items, packed, sink, int64 } = this.#context;
    if (!input.head(at)) return CUT;
    const { next, value } = input;
    if (input.bytes[at] === 0xf8 && value < 32) input.fail('malformed', `the simple value ${value} must not take two bytes`, at);
    if (value < 16 && packed.active) {
      items.read(at, int64);
      sendScalar(sink, items.value, at, next);
    } else {
      sink.beginTagged(SIMPLE_TAG, at, next);
      sink.integer(value, at, next);
      sink.endTagged(next);
    }
    this.#context.stack.took();
    return next;
  }

  /** Closes the innermost container, which a tag has opened. */
  close(at: number): void {
    const { input, stack, sink, packed, sharing, ends } = this.#context;
    switch (stack.kind) {
      case TABLE:
        break;
      case PACKED_VALUE:
        packed.leave();
        break;
      case EMBEDDED:
        if (ends.pop() !== input.base + at) input.fail('malformed', 'the length of embedded CBOR does not match that of its value', at);
        break;
      default:
        if (stack.kind === UNKNOWN) sink.endArray(at);
        sink.endTagged(at);
        sharing.closeTagged();
    }
  }

  /** Reads the tags that cbor-x defines; NONE for others. */
  #readCborX(tag: number, at: number, from: number): number {
    const { input, stack, sharing, items, bundle, sink, int64, options } = this.#context;
    switch (tag) {
      case 6:
      case 14:
      case 15: {
        const found = items.read(at, int64);
        if (found === OTHER) return this.#openUnknown(tag, at, from);
        if (found === ITEM_CUT) return CUT;
        sendScalar(sink, items.value, at, input.next);
        return this.#took();
      }
      case 27: // a generic object (http://cbor.schmorp.de/generic-object)
        return this.#openTagged(OBJECT_TAG, at, from);
      case 28:
        return this.#share(at, from);
      case 29:
        if (!this.#major(0, tag, from) || !input.head(from)) return CUT;
        sharing.reference(input.value, at, input.next);
        return this.#took();
      case 51: {
        const next = this.#openHead(PACKED, 4, tag, at, from);
        if (next !== CUT && stack.size !== 4) input.fail('unsupported', 'packed values are supported only in the form of cbor-x', from);
        return next;
      }
      case 105:
      case 0xdffe:
      case 0xdfff:
        return this.definitions.begin(tag, at, from) ? input.next : CUT;
      case 0xdff9:
        return bundle.begin(from) ? input.next : CUT;
      case 259: // a Map (https://github.com/shanewholloway/js-cbor-codec, CBOR-259)
        return this.#openHead(MAP, 5, tag, at, from);
      default: {
        const record = Records.admits(tag) ? this.#context.records.find(tag) : -1;
        if (record >= 0) return this.#openRecord(record, tag, at, from);
        return Records.admits(tag) && KEPT in options ? this.#unknownRecord(tag, at, from) : NONE;
      }
    }
  }

  /** A record of a message without keys, unless it is a tag of the application's own: its content is then no array. */
  #unknownRecord(tag: number, at: number, from: number): number {
    const { input } = this.#context;
    input.reach = from + 1;
    if (from >= input.to) return CUT;
    if (input.bytes[from]! >> 5 !== 4) return NONE;
    const hint = (this.#context.options as KeepsRecords)[KEPT] ? '' : '; if earlier messages define it (sequential: true), set keepRecords';
    return input.fail('malformed', `record ${tag} of cbor-x is not defined${hint}`, at);
  }

  #openRecord(record: number, tag: number, at: number, from: number): number {
    const { input, sink, records, stack } = this.#context;
    if (!this.#major(4, tag, from) || !input.head(from)) return CUT;
    const count = input.value;
    const most = records.size(record);
    if (count === INDEFINITE || count > most) input.fail('malformed', `a record has more than its ${most} values`, from);
    stack.took();
    stack.open(RECORD, count, at);
    sink.beginRecord(records.id(record, sink), at, input.next);
    return input.next;
  }

  #readText(tag: number, at: number, from: number): number {
    const { input, items, content, int64 } = this.#context;
    input.reach = from + 1;
    if (from >= input.to) return CUT;
    const token = input.bytes[from]!;
    if (token === 0x7f) return this.#beginChunks(3, tag, at, from);
    let text: string;
    const isReference = token >> 5 !== 3;
    if (!isReference) {
      if (!input.string(from, 'stringLength')) return CUT;
      text = textFor(input, input.bytes, input.from, input.next, input.base);
    } else {
      const found = items.textReference(from);
      if (found === OTHER) input.fail('malformed', `tag ${tag} requires a text string`, from);
      if (found === ITEM_CUT || items.read(from, int64) === ITEM_CUT) return CUT;
      text = items.value as string;
    }
    content.text(tag, text, at, input.next, isReference);
    return this.#took();
  }

  #readBytes(tag: number, at: number, from: number): number {
    const { input, content } = this.#context;
    if (!this.#major(2, tag, from)) return CUT;
    if (input.bytes[from] === 0x5f) return this.#beginChunks(2, tag, at, from);
    if (!input.string(from, 'binaryLength')) return CUT;
    content.bytes(tag, input.bytes, input.from, input.next, at);
    return this.#took();
  }

  #beginChunks(major: number, tag: number, at: number, from: number): number {
    this.#context.chunks.begin(major, tag, at);
    this.#context.stack.took();
    return from + 1;
  }

  #readNumber(tag: number, at: number, from: number): number {
    const { input, items, content } = this.#context;
    const found = items.read(from, 'auto');
    if (found === ITEM_CUT) return CUT;
    const { value } = items;
    if (found === OTHER || (typeof value !== 'number' && typeof value !== 'bigint')) {
      return input.fail('malformed', `tag ${tag} requires a number`, from);
    }
    content.number(tag, Number(value), at, input.next);
    return this.#took();
  }

  /** Reads [exponent, mantissa]: an integer, and an integer or bignum (RFC 8949 section 3.4.4). */
  #readDecimal(tag: number, at: number, from: number): number {
    const { input, items, sink } = this.#context;
    if (!this.#major(4, tag, from) || !input.head(from)) return CUT;
    const indefinite = input.value === INDEFINITE;
    if (!indefinite && input.value !== 2) input.fail('malformed', `the tag ${tag} has ${input.value} values`, from);
    const parts: (number | bigint)[] = [];
    for (let place = input.next; parts.length < 2; place = input.next) {
      const found = items.read(place, 'auto');
      if (found === ITEM_CUT) return CUT;
      const { value } = items;
      const isInteger = typeof value === 'bigint' || Number.isInteger(value);
      if (found === OTHER || !isInteger) input.fail('malformed', `tag ${tag} requires an integer`, place);
      parts.push(value as number | bigint);
    }
    const end = input.next;
    if (indefinite) {
      input.reach = end + 1;
      if (end >= input.to) return CUT;
      if (input.bytes[end] !== 0xff) input.fail('malformed', `the tag ${tag} has more than 2 values`, end);
      input.next = end + 1;
    }
    const [exponent, mantissa] = parts as [number, number];
    sink.float(tag === 4 ? decimalFraction(exponent, mantissa) : bigFloat(exponent, mantissa), at, input.next);
    return this.#took();
  }

  /** Reads a byte string that contains CBOR (RFC 8949 section 3.4.5.1). */
  #readEmbedded(at: number, from: number): number {
    const { input, stack, ends, options } = this.#context;
    if (!this.#major(2, 24, from)) return CUT;
    if (options.embedded !== 'value') return this.#openUnknown(24, at, from);
    if (!input.head(from)) return CUT;
    if (input.value === INDEFINITE) input.fail('unsupported', 'embedded CBOR must not have an indefinite length', from);
    ends.push(input.base + input.next + input.value);
    stack.took();
    stack.open(EMBEDDED, 1, at);
    return input.next;
  }

  #openUnknown(tag: number, at: number, from: number): number {
    const { input, sink } = this.#context;
    const exact = tag < 2 ** 53 ? tag : input.view.getBigUint64(at + 1);
    if (exact === 0xffff || exact === 0xffff_ffff || exact === 0xffff_ffff_ffff_ffffn) {
      input.fail('malformed', `invalid tag ${exact}`, at);
    }
    this.#opened(UNKNOWN, at);
    sink.beginTagged(UNKNOWN_TAG, at, from);
    sink.beginArray(2, at, from);
    if (typeof exact === 'bigint') sink.bigint(exact, at, from);
    else sink.integer(exact, at, from);
    return from;
  }

  #openTagged(name: string, at: number, from: number): number {
    this.#opened(TAGGED, at);
    this.#context.sink.beginTagged(name, at, from);
    return from;
  }

  #opened(kind: number, at: number): void {
    const { sharing, stack } = this.#context;
    sharing.openTagged(at);
    stack.took();
    stack.open(kind, 1, at);
  }

  /** Opens the array or map at `from` as the content of a tag. */
  #openHead(kind: number, major: number, tag: number, at: number, from: number): number {
    const { input, stack, sink } = this.#context;
    if (!this.#major(major, tag, from) || !input.head(from)) return CUT;
    const { value: count, next } = input;
    stack.took();
    stack.open(kind, kind === MAP && count > 0 ? count * 2 : count, at);
    if (kind === MAP) sink.beginMap(count, at, next);
    else if (kind === SET) sink.beginSet(count, at, next);
    return next;
  }

  /** Requires a major type of the item at `from`. False if it has not arrived yet. */
  #major(major: number, tag: number, from: number): boolean {
    const { input } = this.#context;
    input.reach = from + 1;
    if (from >= input.to) return false;
    if (input.bytes[from]! >> 5 !== major) input.fail('malformed', `tag ${tag} requires the type ${MAJOR_TYPES[major]}`, from);
    return true;
  }

  /** Tag 28: the value after it may be referred to. */
  #share(at: number, from: number): number {
    const { input, sink, items, sharing, int64 } = this.#context;
    const identity = this.#identity(from);
    if (identity === ITEM_CUT) return CUT;
    if (identity === FOUND) {
      sharing.anchor(at, from);
      return from;
    }
    const found = items.read(from, int64);
    if (found === ITEM_CUT) return CUT;
    if (found === OTHER) input.fail('unsupported', 'a shared value of a kind that cannot be shared', from);
    sharing.keep(items.value);
    sendScalar(sink, items.value, at, input.next);
    return this.#took();
  }

  /** FOUND if the value at `from` is an object of some kind, or else OTHER. */
  #identity(from: number): number {
    const { input, options } = this.#context;
    if (!input.head(from)) return ITEM_CUT;
    const major = input.bytes[from]! >> 5;
    if (major === 2 || major === 4 || major === 5) return FOUND;
    if (major !== 6) return OTHER;
    const tag = input.value;
    if (tag === 4 || tag === 5) return options.decimals === 'tag' ? FOUND : OTHER;
    if (tag === 24) return options.embedded === 'value' ? OTHER : FOUND;
    return WITHOUT_IDENTITY.has(tag) ? OTHER : FOUND;
  }

  /** Counts a complete value that has been sent. */
  #took(): number {
    this.#context.stack.took();
    return this.#context.input.next;
  }
}

/** Tags of scalars, and tags that precede or wrap other values. */
const WITHOUT_IDENTITY: ReadonlySet<number> = new Set([2, 3, 6, 14, 15, 28, 29, 51, 0xdff9, 0xdffe, 55799]);
