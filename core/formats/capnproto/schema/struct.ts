import { decodeUtf8 } from '../../../bytes/text/text.ts';
import { SchemaError } from '../../../errors.ts';
import { COMPOSITE, LIST_POINTER, type Message, NULL_POINTER, STRUCT_POINTER } from '../read/message.ts';

/** Limit on the bytes of a request that are read, regardless of its size; same as Cap'n Proto's own limit. */
const MAX_TRAVERSED = 64 * 1024 * 1024;
/** Bytes counted per item of a list. */
const STRUCT_COST = 64;

/** A struct of a small message, such as a schema. Positions in the data section are in bytes. */
export class Struct {
  readonly message: Message;
  readonly #at: number;
  readonly #dataBytes: number;
  readonly #pointers: number;
  readonly segment: number;

  /** The struct at `at`. */
  constructor(message: Message, at: number, dataBytes: number, pointers: number, segment: number) {
    this.message = message;
    this.#at = at;
    this.#dataBytes = dataBytes;
    this.#pointers = pointers;
    this.segment = segment;
  }

  /** Struct at the target of the pointer at `at`; an empty struct if it is null. */
  static at(message: Message, at: number, segment: number): Struct {
    const kind = message.follow(at, segment);
    if (kind === NULL_POINTER) return new Struct(message, at, 0, 0, segment);
    if (kind !== STRUCT_POINTER) message.fail('not a struct', at);
    return new Struct(message, message.at, message.dataBytes, message.pointers, message.segment);
  }

  uint8(at: number): number {
    return at < this.#dataBytes ? this.message.view.getUint8(this.#at + at) : 0;
  }

  uint16(at: number): number {
    return at < this.#dataBytes ? this.message.view.getUint16(this.#at + at, true) : 0;
  }

  int32(at: number): number {
    return at < this.#dataBytes ? this.message.view.getInt32(this.#at + at, true) : 0;
  }

  uint64(at: number): bigint {
    return at < this.#dataBytes ? this.message.view.getBigUint64(this.#at + at, true) : 0n;
  }

  /** Position of a pointer; −1 if it is missing or null. */
  pointer(index: number): number {
    if (index >= this.#pointers) return -1;
    const at = this.#at + this.#dataBytes + index * 8;
    return this.message.follow(at, this.segment) === NULL_POINTER ? -1 : at;
  }

  struct(index: number): Struct {
    const at = this.pointer(index);
    return at < 0 ? new Struct(this.message, 0, 0, 0, 0) : Struct.at(this.message, at, this.segment);
  }

  text(index: number): string {
    if (this.pointer(index) < 0) return '';
    const { at, count, itemSize, bytes } = this.message;
    if (itemSize !== 2 || count === 0) this.message.fail('not a text', at);
    this.#traverse(count);
    return decodeUtf8(bytes, at, at + count - 1, this.message.base);
  }

  /** Counts bytes read, since many pointers may lead to the same text or list. */
  #traverse(bytes: number): void {
    const { message } = this;
    message.traversed += bytes;
    if (message.traversed > MAX_TRAVERSED + message.bytes.length * 16) throw new SchemaError('the request references its parts too often');
  }

  structs(index: number): Struct[] {
    const pointer = this.pointer(index);
    if (pointer < 0) return [];
    const { message } = this;
    if (message.follow(pointer, this.segment) !== LIST_POINTER || message.itemSize !== COMPOSITE) message.fail('not a list of structs', pointer);
    const { at, count, itemBits, dataBytes, pointers, segment } = message;
    if (count > 0 && itemBits === 0) message.fail('a list of structs has no content', pointer);
    this.#traverse(count * STRUCT_COST);
    return Array.from({ length: count }, (_, item) => new Struct(message, at + (item * itemBits) / 8, dataBytes, pointers, segment));
  }
}
