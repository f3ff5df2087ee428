import { type Items, itemsOf, writeBytes } from '../../../writing/binary-values.ts';
import { offsetOf, out, pass, replaceAt, room, soft, STOPPED, withdrawFrom } from '../../../bytes/output.ts';
import { writeZigZag } from '../../../bytes/varint.ts';
import { EncodeError, SchemaError } from '../../../errors.ts';
import type { Limits } from '../../../limits.ts';
import { kindOf } from '../../../writing/writer.ts';
import { type Compressor, compressorFor } from './compressors.ts';
import { MAGIC, SYNC_BYTES } from './container.ts';
import { DatumWriter } from '../write/datum-writer.ts';
import { schemaForItems } from '../schema/infer.ts';
import type { AvroWriteOptions } from '../options.ts';
import { parseSchema } from '../schema/parse.ts';
import type { AvroTypes } from '../schema/schema.ts';
import { NULL, WriteNode, writePlanFor } from '../write/plan.ts';
import { writeString } from '../write/scalars.ts';

const BLOCK_BYTES = 1 << 16;
/** Most bytes of a block's head. */
const HEAD_BYTES = 20;

const utf8 = new TextEncoder();

/** Resume point among the data of a container. */
class DataResumePoint {
  readonly next: number;

  constructor(next: number) {
    this.next = next;
  }
}

/** Writes object container files (https://avro.apache.org/docs/1.12.0/specification/#object-container-files). */
export class ContainerWriter extends DatumWriter {
  readonly #schema: AvroTypes | undefined;
  readonly #options: AvroWriteOptions;
  readonly #compressor: Compressor;
  readonly #blockBytes: number;
  #sync = new Uint8Array(SYNC_BYTES);
  /** Start of the open block; Infinity if none is open. */
  #block = Infinity;
  #count = 0;
  /** Bytes reserved for the next block's head: those of the last head. 0 for compressed blocks, whose head is written later. */
  #head: number;

  /** If there is no schema, one is inferred from the data. */
  constructor(schema: AvroTypes | undefined, options: AvroWriteOptions, limits: Limits) {
    super(schema === undefined ? new WriteNode(NULL, 'null') : writePlanFor(schema, options), options, limits);
    this.#schema = schema;
    this.#options = options;
    this.#compressor = compressorFor(options);
    this.#blockBytes = options.blockBytes ?? BLOCK_BYTES;
    this.#head = this.#compressor === undefined ? 5 : 0;
    const { syncMarker } = options;
    if (syncMarker !== undefined && syncMarker.length !== SYNC_BYTES)
      throw new EncodeError('range', `a sync marker of ${syncMarker.length} bytes; it must have ${SYNC_BYTES}`);
  }

  override get takesItems(): boolean {
    return true;
  }

  /** Items of unknown number are written in blocks, as those of a list are. The schema comes before them. */
  override beginItems(at: number): number {
    if (!this.#schema)
      throw new SchemaError('a schema is required to write a container of items that are not all known: it cannot be inferred from them');
    return this.#begin(this.#schema, at);
  }

  override item(value: unknown, _index: number, at: number): number {
    this.reset();
    this.open();
    return super.write(value, this.#countItem(at));
  }

  override endItems(_count: number, at: number): number {
    return this.#end(at);
  }

  override get pinned(): number {
    return this.#block;
  }

  override write(value: unknown, at: number): number {
    const list = itemsOf(value);
    if (list === undefined) this.fail('type', `${kindOf(value)} where the array of a container's data is expected`);
    let schema = this.#schema;
    if (schema === undefined) {
      schema = parseSchema(schemaForItems(list));
      this.root = writePlanFor(schema, { ...this.#options, unions: 'plain' });
    }
    const start = this.#begin(schema, at);
    this.open();
    return this.#data(list, 0, start);
  }

  #begin(schema: AvroTypes, at: number): number {
    this.#block = Infinity;
    this.#sync = new Uint8Array(SYNC_BYTES);
    this.#sync.set(this.#options.syncMarker ?? crypto.getRandomValues(this.#sync));
    return this.#header(schema, at);
  }

  protected override resumeIn(container: object, point: unknown, at: number): number {
    return point instanceof DataResumePoint ? this.#data(container as Items, point.next, at) : super.resumeIn(container, point, at);
  }

  protected override stepOf(point: unknown): string | number {
    return point instanceof DataResumePoint ? point.next - 1 : super.stepOf(point);
  }

  /** `Obj` and 1, the metadata as a map of bytes, and the sync marker. */
  #header(schema: AvroTypes, at: number): number {
    const { codec = 'null', metadata = {} } = this.#options;
    const entries = Object.entries({ 'avro.schema': schema.json, 'avro.codec': codec, ...metadata });
    let next = writeZigZag(entries.length, writeBytes(MAGIC, at));
    for (const [name, value] of entries) {
      const bytes = typeof value === 'string' ? utf8.encode(value) : value;
      next = writeBytes(bytes, writeZigZag(bytes.length, writeString(name, next)));
    }
    out[next] = 0;
    return writeBytes(this.#sync, next + 1);
  }

  #data(list: Items, from: number, at: number): number {
    const { length } = list;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(list, new DataResumePoint(index), length);
        at = this.#countItem(at);
        if ((at = super.write(list[index], at)) === STOPPED) return this.stopped(list, new DataResumePoint(index + 1), length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'the list changed while it was written');
    this.depth -= 1;
    return this.#end(at);
  }

  /** Counts the next item, in a new block if the open one is full. */
  #countItem(at: number): number {
    let next = at;
    if (this.#block === Infinity) next = this.#beginBlock(at);
    else if (offsetOf(at) - this.#block - this.#head >= this.#blockBytes) next = this.#beginBlock(this.#endBlock(at));
    this.#count += 1;
    return next;
  }

  #end(at: number): number {
    return this.#block === Infinity ? at : this.#endBlock(at);
  }

  #beginBlock(at: number): number {
    const start = room(at, HEAD_BYTES);
    this.#block = offsetOf(start);
    this.#count = 0;
    return start + this.#head;
  }

  /** A block is the number of its data, their size in bytes, the data, and the sync marker. */
  #endBlock(at: number): number {
    const block = this.#block;
    let next: number;
    if (this.#compressor === undefined) {
      const bytes = offsetOf(at) - block - this.#head;
      const head = headOf(this.#count, bytes);
      next = replaceAt(block, this.#head, head, at);
      this.#head = head.length;
    } else {
      const { bytes, continueAt } = withdrawFrom(block, at);
      const compressed = this.#compressor(bytes);
      next = writeBytes(compressed, writeBytes(headOf(this.#count, compressed.length), continueAt));
    }
    this.#block = Infinity;
    return writeBytes(this.#sync, next);
  }
}

function headOf(count: number, bytes: number): Uint8Array {
  const head: number[] = [];
  for (const value of [count, bytes]) {
    let rest = 2 * value;
    for (; rest >= 0x80; rest = Math.floor(rest / 128)) head.push((rest % 128) | 0x80);
    head.push(rest);
  }
  return Uint8Array.from(head);
}
