import { DecodeError, LimitError, SchemaError } from '../../errors.ts';
import type { Limits } from '../../limits.ts';
import { Reader } from '../../reading/reader.ts';
import type { Sink } from '../../reading/sink.ts';
import type { AvroOptions } from './options.ts';
import { checkCodec, decompress } from './container/codecs.ts';
import {
  checkSync,
  type ContainerHeader,
  MAGIC,
  newHeader,
  readBlockHead,
  readHeader,
  startsAsContainer,
  SYNC_BYTES,
} from './container/container.ts';
import { hexOf } from './schema/fingerprint.ts';
import { Machine } from './read/machine.ts';
import type { Plan } from './read/plan.ts';
import { planFor } from './read/plans.ts';
import { parseSchema } from './schema/parse.ts';
import { RowReading } from './read/rows.ts';
import { run } from './read/run.ts';
import type { AvroSchema, AvroTypes } from './schema/schema.ts';

/** Phase of the reader, which says what comes next. */
const START = 0;
const DATA = 1;
/** Header of a single object: C3 01, 8 bytes of fingerprint. */
const OBJECT = 2;
const HEADER = 3;
const BLOCK = 4;
const BLOCK_DATA = 5;
const SYNC = 6;

const OBJECT_HEAD = 10;

/** Reads Avro: plain data, single objects and containers. A token is a value other than a list or record, or the head of one. */
export class AvroReader extends Reader {
  readonly #options: AvroOptions;
  readonly #schema: AvroSchema | undefined;
  readonly #machine: Machine;
  readonly #rows: RowReading | undefined;
  readonly #sequence: boolean;
  #phase = START;
  /** True after a single object, or if none is required. */
  #complete = false;
  #header: ContainerHeader | undefined;
  readonly #headerProgress = newHeader();
  /** Remaining bytes of the block. */
  #blockLeft = 0;

  constructor(sink: Sink, options: AvroOptions, limits: Limits, schema: AvroSchema | undefined) {
    super(sink, limits);
    this.#options = options;
    this.#schema = schema;
    this.#sequence = options.sequence ?? false;
    this.#machine = new Machine(sink, options, limits);
    if (sink.readRows !== undefined) this.#rows = new RowReading(this.#machine);
  }

  protected read(bytes: Uint8Array, view: DataView, from: number, to: number, last: boolean): number {
    const machine = this.#machine;
    machine.window(bytes, view, this.base);
    machine.budget.receive(this.received);
    let at = from;
    for (;;) {
      let next = -1;
      switch (this.#phase) {
        case START:
          if (!this.#start(bytes, at, to, last)) return at;
          continue;
        case DATA:
          return this.#data(bytes, view, at, to);
        case OBJECT:
          if (at >= to && (this.#complete || !last)) return at;
          next = this.#object(bytes, at, to);
          break;
        case HEADER:
          next = this.#containerHeader(bytes, at, to);
          break;
        case BLOCK:
          if (at >= to) return at;
          next = this.#blockHead(bytes, at, to);
          break;
        case BLOCK_DATA:
          next = this.#blockData(bytes, view, at, to);
          if (this.#phase === BLOCK_DATA) return next;
          break;
        default:
          if (at + SYNC_BYTES > to) {
            this.needed = SYNC_BYTES;
            return at;
          }
          checkSync(bytes, at, this.#header!.sync, this.base);
          this.#phase = BLOCK;
          next = at + SYNC_BYTES;
          this.sink.between?.(at, next);
      }
      if (next < 0) return at;
      at = next;
    }
  }

  protected finish(): void {
    const { idle } = this.#machine;
    const complete = this.#phase === DATA ? idle : this.#phase === OBJECT ? this.#complete : this.#phase === BLOCK;
    if (!complete) this.fail('truncated', 'the input ends inside a value', 0);
    if (this.#phase === BLOCK || this.#sequence) {
      // Without data, there may be no plan.
      this.#machine.nameItems((this.#machine.plan as Plan | undefined)?.record ?? -1);
      this.sink.endArray(0);
    }
    this.#machine.release();
  }

  /** Detects the framing of the data. Returns false if that takes more bytes. */
  #start(bytes: Uint8Array, at: number, to: number, last: boolean): boolean {
    const framing = this.#options.framing ?? this.#framing(bytes, at, to, last);
    if (framing === undefined) return false;
    const machine = this.#machine;
    if (framing === 'container') {
      this.#phase = HEADER;
      return true;
    }
    if (this.#sequence) {
      machine.outer = 1;
      this.sink.beginArray(-1, at, at);
    }
    if (framing === 'object') {
      this.#phase = OBJECT;
      this.#complete = this.#sequence;
      return true;
    }
    const writerSchema = this.#schema?.writerSchema;
    if (!writerSchema) throw new SchemaError('a schema is required: only Avro containers include one');
    const plan = planFor(writerSchema, this.#schema.readerSchema, this.#options);
    machine.use(plan);
    // Data that take no bytes cannot form a sequence.
    machine.endless = this.#sequence && !plan.empty;
    machine.left = this.#sequence ? 0 : 1;
    this.#phase = DATA;
    return true;
  }

  /** Detects the framing from the first bytes. A single object must have the fingerprint of a known schema. */
  #framing(bytes: Uint8Array, at: number, to: number, last: boolean): AvroOptions['framing'] {
    const schema = this.#schema;
    if (startsAsContainer(bytes, at, to) && to > at) {
      if (to - at >= MAGIC.length) return 'container';
      this.needed = MAGIC.length;
      if (!last) return undefined;
    }
    const isObject = bytes[at] === 0xc3 && (at + 1 === to || bytes[at + 1] === 0x01) && to > at;
    if (isObject && schema) {
      if (to - at < OBJECT_HEAD) {
        this.needed = OBJECT_HEAD;
        if (!last) return undefined;
      } else if (schema.registered[hexOf(bytes, at + 2, at + OBJECT_HEAD)] !== undefined) {
        return 'object';
      }
    }
    if (to === at && !last) return undefined;
    return schema && !schema.writerSchema ? 'object' : 'datum';
  }

  #data(bytes: Uint8Array, view: DataView, at: number, to: number): number {
    const machine = this.#machine;
    const next = run(machine, this.#rows, bytes, view, at, to);
    this.needed = machine.needed;
    if (machine.idle && next < to) this.fail('trailing-bytes', 'unexpected bytes after the value', next);
    return next;
  }

  /** Reads the header of a single object, or more of its data. */
  #object(bytes: Uint8Array, at: number, to: number): number {
    const machine = this.#machine;
    if (machine.idle) {
      if (this.#complete && !this.#sequence) this.fail('trailing-bytes', 'unexpected bytes after the value', at);
      if (at + OBJECT_HEAD > to) {
        this.needed = OBJECT_HEAD;
        return -1;
      }
      if (bytes[at] !== 0xc3 || bytes[at + 1] !== 0x01) this.fail('malformed', 'not a single object: it must begin with C3 01', at);
      const fingerprint = hexOf(bytes, at + 2, at + OBJECT_HEAD);
      const writerSchema = this.#schema?.registered[fingerprint];
      if (!writerSchema) {
        throw new SchemaError(`no registered schema has the fingerprint ${fingerprint}`, undefined, { offset: this.base + at });
      }
      machine.use(planFor(writerSchema, this.#schema.readerSchema, this.#options));
      machine.left = 1;
      machine.idle = false;
      this.#complete = false;
      return at + OBJECT_HEAD;
    }
    const next = run(machine, this.#rows, bytes, machine.view, at, to);
    this.needed = machine.needed;
    if (!machine.idle) return next === at ? -1 : next;
    this.#complete = true;
    return next;
  }

  #containerHeader(bytes: Uint8Array, at: number, to: number): number {
    const header = readHeader(bytes, at, to, this.base, this.#machine.longestBinary, this.#headerProgress);
    if ('needed' in header) {
      this.needed = Math.max(0, header.needed - at);
      return -1;
    }
    checkCodec(header.codec, this.base + at);
    let writerSchema: AvroTypes;
    try {
      writerSchema = parseSchema(header.schema);
    } catch (error) {
      if (!(error instanceof SchemaError)) throw error;
      throw new DecodeError('malformed', `the schema of the container is invalid: ${error.reason}`, { offset: this.base + at });
    }
    const readerSchema = this.#schema && (this.#schema.readerSchema ?? this.#schema.writerSchema);
    this.#machine.use(planFor(writerSchema, readerSchema, this.#options));
    this.#machine.outer = 1;
    this.#header = header;
    this.sink.beginArray(-1, at, header.end);
    this.#phase = BLOCK;
    return header.end;
  }

  #blockHead(bytes: Uint8Array, at: number, to: number): number {
    const machine = this.#machine;
    const head = readBlockHead(bytes, at, to, this.base);
    if (!head) return -1;
    if (head.count > machine.mostValues - machine.values) this.exceed('values', at);
    if (machine.plan.empty) machine.spendEmpty(head.count, at);
    if (this.#header!.codec !== 'null' && head.bytes > machine.longestBinary) this.exceed('binaryLength', at);
    machine.left = head.count;
    this.#blockLeft = head.bytes;
    this.#phase = BLOCK_DATA;
    this.sink.between?.(at, head.from);
    return head.from;
  }

  /** Reads the available data of a block; compressed data only once the block is complete. */
  #blockData(bytes: Uint8Array, view: DataView, at: number, to: number): number {
    const size = this.#blockLeft;
    if (this.#header!.codec !== 'null') {
      if (at + size > to) {
        this.needed = size;
        return at;
      }
      this.#compressedData(bytes, at, at + size);
      this.sink.between?.(at, at + size);
      this.#phase = SYNC;
      return at + size;
    }
    const machine = this.#machine;
    const end = Math.min(to, at + size);
    const next = run(machine, this.#rows, bytes, view, at, end);
    this.#blockLeft -= next - at;
    if (machine.idle) {
      if (this.#blockLeft > 0) this.fail('malformed', 'a block is longer than its data', next);
      this.#phase = SYNC;
    } else {
      if (at + size <= to || machine.needed > this.#blockLeft) this.fail('malformed', 'a block is shorter than its data', next);
      this.needed = machine.needed;
    }
    return next;
  }

  /** Reports errors at the block, since offsets in decompressed data mean nothing to the caller. */
  #compressedData(bytes: Uint8Array, from: number, end: number): void {
    const { sink, base } = this;
    const machine = this.#machine;
    const offset = base + from;
    const data = decompress(this.#header!.codec, bytes.subarray(from, end), machine.budget, offset);
    const view = new DataView(data.buffer, data.byteOffset, data.byteLength);
    sink.flush?.();
    sink.window(data, view, offset);
    machine.window(data, view, offset);
    try {
      try {
        const next = run(machine, this.#rows, data, view, 0, data.length);
        if (!machine.idle) machine.fail('a block is shorter than its data', next);
        if (next < data.length) machine.fail('a block is longer than its data', next);
      } finally {
        // An error in a range that the sink holds takes precedence.
        sink.flush?.();
      }
    } catch (error) {
      throw inBlock(error, offset);
    }
    sink.window(bytes, this.#outerView(bytes), base);
    machine.window(bytes, this.#outerView(bytes), base);
  }

  #outerView(bytes: Uint8Array): DataView {
    return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }
}

/** Moves an error to the block's offset, and names its position in the decompressed data. */
function inBlock(error: unknown, offset: number): unknown {
  if (!(error instanceof DecodeError || error instanceof LimitError || error instanceof SchemaError)) return error;
  if (error.offset === undefined) return error;
  const reason = `${error.reason}, at byte ${error.offset - offset} of the decompressed block`;
  const { path } = error;
  if (error instanceof DecodeError) return new DecodeError(error.code, reason, { offset, path });
  if (error instanceof LimitError) return new LimitError(error.limit, reason, { offset, path });
  return new SchemaError(reason, error.schema, { offset, path });
}
