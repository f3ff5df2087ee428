import { Containers } from '../../reading/containers.ts';
import { internKey } from '../../bytes/text/key-cache.ts';
import { sharedList } from '../../reading/record-keys.ts';
import { KEPT, type KeepsRecords, type KeptKeys } from '../../kept-records.ts';
import { type Limits, MAX_TOKEN_LENGTH } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import { ROWS_FLOAT32 } from '../../reading/rows/flags.ts';
import { int64Flags, rowRequest } from '../../reading/rows/request.ts';
import { NO_SEPARATOR } from '../../reading/sink-methods.ts';
import type { Sink } from '../../reading/sink.ts';
import type { MessagePackOptions } from './options.ts';
import { BundledStrings } from './read/bundles.ts';
import { CUT, Extensions, PREFIX, VALUE } from './read/extensions.ts';
import { KeyReader } from './read/keys.ts';
import { Records } from './read/records.ts';
import { RowReader } from './read/rows.ts';
import { readRun, type RunState } from './read/run.ts';
import { DEFINITION, EXTENSION, OBJECT, RECORD, ROOT, SET } from './read/containers.ts';

/** The extension type −1. */
const TIMESTAMP = 0xff;

function isExtension(token: number): boolean {
  return (token >= 0xc7 && token <= 0xc9) || (token >= 0xd4 && token <= 0xd8);
}

/**
 * Reads MessagePack with msgpackr's extensions. A token is a scalar, the head of a container, a key, or an extension
 * that is a prefix of the value after it.
 */
export class MessagePackReader extends Reader {
  readonly #sequence: boolean;
  readonly #longestBinary: number;
  readonly #stack: Containers;
  readonly #bundle: BundledStrings;
  readonly #records: Records;
  readonly #extensions: Extensions;
  readonly #keyReader: KeyReader;
  readonly #run: RunState;
  #started = false;
  /** True for a message whose connection keeps no records. */
  readonly #lacksKept: boolean;
  /** The first byte of the payload. */
  #first = 0;

  constructor(sink: Sink, options: MessagePackOptions, limits: Limits) {
    super(sink, limits);
    this.#stack = new Containers(limits);
    this.#sequence = options.sequence ?? false;
    this.#bundle = new BundledStrings(limits.stringLength, sink.prefersText === true);
    const kept = (options as KeepsRecords<KeptKeys>)[KEPT];
    this.#lacksKept = KEPT in options && !kept;
    this.#records = new Records(options.structures, kept);
    this.#extensions = new Extensions(sink, this.#stack, limits, options, this.#bundle, this.#records);
    this.#keyReader = new KeyReader(this.#extensions, this.#bundle, this.#records, options, limits);
    this.#longestBinary = Math.min(limits.binaryLength, MAX_TOKEN_LENGTH);
    this.#run = {
      sink,
      stack: this.#stack,
      records: this.#records,
      bundle: this.#bundle,
      decimal: options.float32 === 'decimal',
      maps: options.maps === 'map',
      longest: Math.min(limits.stringLength, MAX_TOKEN_LENGTH),
      int64: options.int64 ?? 'auto',
      lastFixstr: 0xa0 + Math.min(limits.stringLength, 31),
      rows: undefined,
      mapRows: undefined,
      recordRows: undefined,
      base: 0,
      needed: 0,
    };
    // Records refer to structures, so that an item depends on earlier input.
    if (sink.acceptsRawItems !== undefined && options.structures === undefined && kept === undefined) sink.itemSeparator = NO_SEPARATOR;
    if (sink.readRows !== undefined) this.#requestRows(options, limits);
    if (sink.rows !== undefined) this.#run.rows = new RowReader(this.#run, sink, limits);
  }

  #requestRows({ int64 = 'auto', float32, maps }: MessagePackOptions, limits: Limits): void {
    const flags = int64Flags(int64) | (float32 === 'decimal' ? 0 : ROWS_FLOAT32);
    const { ids } = this.#records;
    const longest = Math.min(limits.stringLength, MAX_TOKEN_LENGTH);
    this.#run.recordRows = rowRequest('messagepackRecords', flags, longest, { ids });
    const longestBinary = this.#longestBinary;
    if (maps !== 'map') this.#run.mapRows = rowRequest('messagepack', flags, longest, { ids, longestBinary });
  }

  override cutTextStart(token: Uint8Array): number {
    const { kind, keyed } = this.#stack;
    if (kind > SET || (kind === OBJECT && !keyed)) return 0;
    const head = token[0]!;
    // fixstr, then str 8, str 16 and str 32
    return head >> 5 === 5 ? 1 : head >= 0xd9 && head <= 0xdb ? 1 + (1 << (head - 0xd9)) : 0;
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number): number {
    const stack = this.#stack;
    const run = this.#run;
    let at = from;
    run.base = this.base;
    run.needed = 0;
    this.#extensions.window(bytes, view, to, this.base);
    if (!this.#started) {
      this.#start(from);
      this.#first = bytes[from]!;
    }

    for (;;) {
      if (stack.kind !== DEFINITION) at = readRun(run, bytes, view, at, to);
      if (stack.left === 0) {
        if (stack.kind === ROOT) {
          if (at < to || this.#bundle.active) at = this.#endRoot(at);
          if (at >= to) break;
          if (!this.#sequence) this.#trailing(at);
          stack.count(1, this.base + at);
          stack.left = 1;
        } else if (stack.kind === DEFINITION) {
          this.#endDefinition(at);
        } else {
          this.#close(at);
        }
        continue;
      }
      if (at >= to) break;
      if (run.needed > 0) {
        this.needed = run.needed;
        break;
      }
      const next =
        stack.kind === DEFINITION || (stack.kind === OBJECT && !stack.keyed)
          ? this.#readKey(bytes, view, at, to)
          : this.#readBinaryOrExtension(bytes, view, at, to);
      if (next < 0) break;
      at = next;
    }
    if (this.#bundle.active) this.#bundle.shift(at - from);
    return at;
  }

  protected finish(): void {
    const { depth, left } = this.#stack;
    if (this.received === 0 && !this.#sequence) this.fail('empty', 'the payload is empty', 0);
    if (this.received > 0 && (depth > 0 || left > 0)) this.fail('truncated', 'the input ends inside a value', 0);
    if (this.#sequence) this.sink.endArray(0);
    this.#stack.release();
  }

  /**
   * Reads a key that is not a short string, or one of a record definition. Returns the position after it, −1 if it is
   * cut.
   */
  #readKey(bytes: Uint8Array, view: DataView, at: number, to: number): number {
    const keys = this.#keyReader;
    const stack = this.#stack;
    if (isExtension(bytes[at]!)) this.#noteExtension(bytes, at, to);
    const found = keys.read(bytes, view, at, to, this.base);
    if (found === CUT) return this.#cut(keys.needed);
    if (found === PREFIX) return keys.next;
    if (stack.kind === DEFINITION) {
      this.#extensions.definition.keys.push(keys.text ?? (this.sink.repairedText ?? internKey)(bytes, keys.from, keys.end, this.base));
      stack.left -= 1;
    } else {
      if (keys.text === undefined) this.sink.key(at, keys.from, keys.end);
      else this.sink.keyText(keys.text, at, keys.next);
      stack.keyed = true;
    }
    return keys.next;
  }

  /**
   * Reads a binary, an extension, or a record with an id of two bytes. Returns the position after it, −1 if it is cut.
   */
  #readBinaryOrExtension(bytes: Uint8Array, view: DataView, at: number, to: number): number {
    const token = bytes[at]!;
    if (token < 0x80) return this.#readPair(token, bytes, at, to);
    // 101xxxxx fixstr, longer than the limit
    if (token < 0xc0) return this.exceed('stringLength', at);
    switch (token) {
      case 0xc4: // bin 8
      case 0xc5: // bin 16
      case 0xc6: {
        // bin 32: uint8, uint16 or uint32 length, bytes
        const head = 1 + (1 << (token - 0xc4));
        if (at + head > to) return this.#cut(head);
        const length = token === 0xc4 ? bytes[at + 1]! : token === 0xc5 ? view.getUint16(at + 1) : view.getUint32(at + 1);
        if (length > this.#longestBinary) this.exceed('binaryLength', at);
        if (at + head + length > to) return this.#cut(head + length);
        this.sink.binary(0, at, at + head, at + head + length);
        this.#stack.took();
        return at + head + length;
      }
      default:
        this.#noteExtension(bytes, at, to);
        return this.#readExtension(at);
    }
  }

  /** 0xc7 to 0xc9 ext, 0xd4 to 0xd8 fixext */
  #readExtension(at: number): number {
    const extensions = this.#extensions;
    const found = extensions.read(at);
    if (found === CUT) return this.#cut(extensions.needed);
    if (found === VALUE) this.#stack.took();
    return extensions.next;
  }

  /** Stops sending items as bytes at most extensions, since they are msgpackr's and later values may refer to them. */
  #noteExtension(bytes: Uint8Array, at: number, to: number): void {
    const token = bytes[at]!;
    const type = token < 0xd4 ? at + 1 + (1 << (token - 0xc7)) : at + 1;
    if (type < to && bytes[type] !== TIMESTAMP && this.sink.acceptsRawItems !== undefined) this.sink.itemSeparator = undefined;
  }

  /** Without known structures, a byte of msgpackr's record ids reads as a number. */
  #trailing(at: number): never {
    const looksShared = this.base + at === 1 && this.#first >= 0x40 && this.#first < 0x80;
    const hint = looksShared ? '; if msgpackr wrote it with shared structures, set the option structures' : '';
    const kept = this.#lacksKept ? '; if earlier messages define records (sequential: true), set keepRecords' : '';
    this.fail('trailing-bytes', `unexpected bytes after the value${hint}${kept}`, at);
  }

  #readPair(token: number, bytes: Uint8Array, at: number, to: number): number {
    if (at + 2 > to) return this.#cut(2);
    const number = this.#records.pair(token - 0x40, bytes[at + 1]!);
    if (number < 0) this.fail('malformed', `reference to unknown record id ${token}, ${bytes[at + 1]!}`, at);
    this.#stack.took();
    this.#stack.push(RECORD, this.#records.size(number), this.base + at);
    this.sink.beginRecord(this.#records.id(number, this.sink), at, at + 2);
    return at + 2;
  }

  /** Closes a container that an extension began. */
  #close(at: number): void {
    const { sink } = this;
    switch (this.#stack.kind) {
      case SET:
        sink.endSet(at);
        break;
      case EXTENSION:
        sink.endArray(at);
        sink.endTagged(at);
        this.#extensions.anchors.closeTagged();
        break;
      default:
        sink.endTagged(at);
        this.#extensions.anchors.closeTagged();
    }
    this.#stack.pop();
  }

  /** Replaces a complete definition by a record, whose values follow. */
  #endDefinition(at: number): void {
    const { anchors, definition } = this.#extensions;
    const stack = this.#stack;
    const keys = definition.knownKeys ?? definition.keys;
    const list = sharedList(keys) ?? this.fail('malformed', 'record definition with a duplicate key', at);
    if (definition.keysId >= 0) anchors.keepKeys(definition.keysId, keys);
    const number = this.#records.define(definition.first, definition.second, list);
    stack.count(keys.length - stack.size, this.base + at);
    this.sink.beginRecord(this.#records.id(number, this.sink), at, at);
    stack.kind = RECORD;
    stack.left = stack.size = keys.length;
  }

  #start(at: number): void {
    this.#started = true;
    if (this.#sequence) this.sink.beginArray(-1, at, at);
  }

  /** Ends a value at the root. Its bundled strings follow. */
  #endRoot(at: number): number {
    this.#extensions.anchors.forget();
    return this.#bundle.active ? this.#bundle.finish(at, this.base) : at;
  }

  #cut(needed: number): number {
    this.needed = needed;
    return -1;
  }
}
