import {
  TAG_ANCHOR,
  TAG_BIGINT,
  TAG_BINARY,
  TAG_BITS,
  TAG_DATE,
  TAG_FALSE,
  TAG_FLOAT,
  TAG_INT,
  TAG_LIST,
  TAG_MAP,
  TAG_MASK,
  TAG_NULL,
  TAG_OBJECT,
  TAG_REFERENCE,
  TAG_ROWS,
  TAG_SET,
  TAG_STRING,
  TAG_TAGGED,
  TAG_TRUE,
  LIST_BINARY,
  LIST_TAGS,
  LIST_TEXT,
} from '../block/block.ts';
import { makeBinary } from '../reading/binary.ts';
import type { ReviveTag } from '../reading/revive.ts';
import type { Block, ShapeData } from './read-block.ts';
import { setProperty } from '../values/property.ts';
import { makeTemplate } from '../engine/template.ts';

/** Source of a tape's ROWS, and of the result for a list of records. */
export interface RowSource {
  /** Appends objects of a table to a list. */
  append: (list: unknown[], table: number, first: number, count: number) => void;
  /** Returns a list that consists of one run of rows, in one go; undefined to build it item by item. */
  fromRun?(table: number, first: number, count: number): unknown;
  /**
   * Returns the result for a list of records whose entries begin at `position`, and the position after them. Undefined
   * to build it and pass it to `fromRecords`.
   */
  fromTape?(words: Int32Array, position: number, count: number): { value: unknown; end: number } | undefined;
  /** Returns the result for a list of records that was built. */
  fromRecords?(records: object[]): unknown;
  /** Converts the lists inside a record that `append` built, for a list that does not become rows. */
  convert?(record: unknown): void;
}

/** Objects of a shape after which a template pays off. */
const TEMPLATE_USES = 8;
/** Rows appended per step. */
const ROWS_STEP = 1024;

const float = new Float64Array(1);
const halves = new Int32Array(float.buffer);

const LIST = 0;
const SET = 1;
const MAP = 2;
const OBJECT = 3;
const TAGGED = 4;

interface Frame {
  kind: number;
  target: unknown;
  /** Number of values left; for a Map, keys and values. */
  left: number;
  shape: ShapeData;
  /**
   * Object: index of the next value's key. Map: 1 while a key waits for its value. List, Set: rows appended of the
   * current ROWS. Tagged: anchor of the value, −1 for none.
   */
  index: number;
  /** Map: the waiting key. Object: the next value's key outside the shape. Tagged: the tag. List: true for records. */
  key: unknown;
}

/** Builds the values of a tape with an explicit stack, and can stop between any two of them. */
export class TapeReader {
  result: unknown;
  readonly #block: Block;
  readonly #revive: ReviveTag;
  readonly #rows: RowSource;
  readonly #anchors: Map<number, unknown>;
  readonly #frames: Frame[] = [];
  #depth = 0;
  /** Number of open lists of records, sets, maps and tags. Lists inside them stay arrays. */
  #records = 0;
  #words: Int32Array = new Int32Array(0);
  #at = 0;
  /** Id of an anchor that waits for its value; −1 for none. */
  #anchor = -1;

  constructor(block: Block, revive: ReviveTag, rows: RowSource, anchors: Map<number, unknown>) {
    this.#block = block;
    this.#revive = revive;
    this.#rows = rows;
    this.#anchors = anchors;
  }

  /** Starts with the value at a position. */
  start(words: Int32Array, position: number): void {
    this.#words = words;
    this.#at = position;
    this.#depth = 0;
    this.#records = 0;
    this.result = undefined;
  }

  /** Reads the value at a position in one go. */
  read(words: Int32Array, position: number): unknown {
    this.start(words, position);
    while (!this.run(1 << 30));
    return this.result;
  }

  /** Position after the values read so far. */
  get position(): number {
    return this.#at;
  }

  /** Takes up to about `steps` steps. Returns true once the `result` is complete. */
  run(steps: number): boolean {
    const words = this.#words;
    for (let step = 0; step < steps; step++) {
      let value: unknown;
      const word = words[this.#at++]!;
      switch (word & TAG_MASK) {
        case TAG_NULL:
          value = null;
          break;
        case TAG_FALSE:
          value = false;
          break;
        case TAG_TRUE:
          value = true;
          break;
        case TAG_INT:
          value = word >> TAG_BITS;
          break;
        case TAG_FLOAT:
          value = this.#float();
          break;
        case TAG_DATE:
          value = this.#bind(new Date(this.#float()));
          break;
        case TAG_STRING:
          value = this.#block.lists[LIST_TEXT]!.at(words[this.#at++]!);
          break;
        case TAG_BIGINT:
          value = BigInt(this.#block.lists[LIST_TEXT]!.at(words[this.#at++]!));
          break;
        case TAG_BINARY:
          value = this.#bind(makeBinary(word >>> TAG_BITS, this.#block.lists[LIST_BINARY]!.bytesAt(words[this.#at++]!)));
          break;
        case TAG_REFERENCE:
          value = this.#anchors.get(words[this.#at++]!);
          break;
        case TAG_ANCHOR:
          this.#anchor = words[this.#at++]!;
          continue;
        case TAG_TAGGED: {
          const frame = this.#push(TAGGED, undefined, 1);
          frame.key = this.#block.lists[LIST_TAGS]!.at(word >>> TAG_BITS);
          frame.index = this.#anchor;
          this.#anchor = -1;
          this.#records++;
          continue;
        }
        case TAG_LIST: {
          const count = words[this.#at++]!;
          const records = count > 0 && word >>> TAG_BITS === 1 && this.#records === 0;
          const replaced = records ? this.#rows.fromTape?.(words, this.#at, count) : undefined;
          if (replaced !== undefined) {
            value = replaced.value;
            this.#at = replaced.end;
            break;
          }
          const target: unknown[] = [];
          this.#bind(target);
          if (count > 0) {
            if ((words[this.#at]! & TAG_MASK) === TAG_ROWS && words[this.#at + 2] === count) {
              const list = this.#rows.fromRun?.(words[this.#at]! >>> TAG_BITS, words[this.#at + 1]!, count);
              if (list !== undefined) {
                this.#at += 3;
                value = list;
                break;
              }
            }
            this.#push(LIST, target, count).key = records;
            if (records) this.#records++;
            continue;
          }
          const recordKeys = this.#block.shapes[word >>> (TAG_BITS + 1)]!.keys;
          value = (this.#records === 0 ? this.#rows.fromRecords?.(Object.assign([], { recordKeys })) : undefined) ?? target;
          break;
        }
        case TAG_SET: {
          const count = words[this.#at++]!;
          value = this.#bind(new Set());
          if (count === 0) break;
          this.#push(SET, value, count);
          this.#records++;
          continue;
        }
        case TAG_MAP: {
          const count = words[this.#at++]!;
          value = this.#bind(new Map());
          if (count === 0) break;
          this.#push(MAP, value, count * 2);
          this.#records++;
          continue;
        }
        case TAG_OBJECT: {
          const shape = this.#block.shapes[word >>> TAG_BITS]!;
          const count = shape.keys.length + words[this.#at++]!;
          value = this.#bind(newObject(shape));
          if (count === 0) break;
          const frame = this.#push(OBJECT, value, count);
          frame.shape = shape;
          this.#extraKey(frame);
          continue;
        }
        case TAG_ROWS: {
          step += ROWS_STEP >> 4;
          if (this.#appendRows(word >>> TAG_BITS)) return true;
          continue;
        }
        default:
          value = undefined;
      }
      if (this.#deliver(value)) return true;
    }
    return false;
  }

  #float(): number {
    halves[0] = this.#words[this.#at]!;
    halves[1] = this.#words[this.#at + 1]!;
    this.#at += 2;
    return float[0]!;
  }

  /** Registers a value for the waiting anchor. */
  #bind(value: unknown): unknown {
    if (this.#anchor >= 0) {
      this.#anchors.set(this.#anchor, value);
      this.#anchor = -1;
    }
    return value;
  }

  /** Adds a value to its container, and completed containers to theirs. Returns true if the root is complete. */
  #deliver(value: unknown): boolean {
    while (this.#depth > 0) {
      const frame = this.#frames[this.#depth - 1]!;
      switch (frame.kind) {
        case LIST:
          (frame.target as unknown[]).push(value);
          break;
        case SET:
          (frame.target as Set<unknown>).add(value);
          break;
        case MAP:
          if (frame.index === 0) frame.key = value;
          else (frame.target as Map<unknown, unknown>).set(frame.key, value);
          frame.index ^= 1;
          break;
        case OBJECT: {
          const { keys } = frame.shape;
          const key = frame.index < keys.length ? keys[frame.index++]! : (frame.key as string);
          if (key === '__proto__') setProperty(frame.target as object, key, value);
          else (frame.target as Record<string, unknown>)[key] = value;
          break;
        }
        default:
          this.#anchor = frame.index;
          this.#records--;
          value = this.#bind(this.#revive(frame.key as string, value));
          this.#depth--;
          continue;
      }
      if (--frame.left > 0) {
        if (frame.kind === OBJECT) this.#extraKey(frame);
        return false;
      }
      value = this.#close(frame);
    }
    this.result = value;
    return true;
  }

  /** Reads the key of the next value if the shape does not define it. */
  #extraKey(frame: Frame): void {
    if (frame.index < frame.shape.keys.length) return;
    frame.key = this.#block.lists[LIST_TEXT]!.at(this.#words[this.#at + 1]!);
    this.#at += 2;
  }

  /** Appends rows of the current ROWS. Returns true if the root is complete. */
  #appendRows(table: number): boolean {
    const frame = this.#frames[this.#depth - 1]!;
    const first = this.#words[this.#at]!;
    const count = this.#words[this.#at + 1]!;
    const taken = Math.min(count - frame.index, ROWS_STEP);
    const items = frame.kind === LIST ? (frame.target as unknown[]) : [];
    const from = items.length;
    this.#rows.append(items, table, first + frame.index, taken);
    if (this.#records === 0 && this.#rows.convert) for (let at = from; at < items.length; at++) this.#rows.convert(items[at]);
    if (frame.kind === SET) for (const item of items) (frame.target as Set<unknown>).add(item);
    frame.index += taken;
    if (frame.index < count) {
      this.#at--;
      return false;
    }
    frame.index = 0;
    this.#at += 2;
    frame.left -= count;
    if (frame.left > 0) return false;
    return this.#deliver(this.#close(frame));
  }

  /** Pops a frame whose target is complete. */
  #close({ kind, key, target }: Frame): unknown {
    this.#depth--;
    if (kind === SET || kind === MAP) this.#records--;
    if (kind !== LIST || key !== true) return target;
    this.#records--;
    return this.#rows.fromRecords ? this.#rows.fromRecords(target as object[]) : target;
  }

  #push(kind: number, target: unknown, left: number): Frame {
    const frame = (this.#frames[this.#depth++] ??= {
      kind,
      target,
      left,
      shape: this.#block.shapes[0]!,
      index: 0,
      key: undefined,
    });
    frame.kind = kind;
    frame.target = target;
    frame.left = left;
    frame.index = 0;
    frame.key = undefined;
    return frame;
  }
}

/** Creates an object with all keys of a shape, so that filling it does not change its hidden class. */
function newObject(shape: ShapeData): object {
  if (shape.template !== undefined) return { ...shape.template };
  if (++shape.uses <= TEMPLATE_USES) return {};
  shape.template = makeTemplate(shape.keys, []);
  return { ...shape.template };
}
