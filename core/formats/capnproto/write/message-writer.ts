import { type Items, itemsOf, writeBytes } from '../../../writing/binary-values.ts';
import { offsetOf, pass, replaceAt, room, soft, STOPPED, view, withdrawFrom } from '../../../bytes/output.ts';
import type { Limits } from '../../../limits.ts';
import type { ExtraKeysOption } from '../../../writing/extra-keys.ts';
import { kindOf } from '../../../writing/writer.ts';
import { pack } from './pack.ts';
import { StructWriter } from './struct-writer.ts';
import type { StructNode } from './plan.ts';

/** Bytes packed per step. */
const PACKED_AT_ONCE = 1 << 18;

/** Most words of a segment that its pointers can reach (https://capnproto.org/encoding.html#structs). */
const MAX_WORDS = 2 ** 29;

/** Framing of messages. */
interface Framing extends ExtraKeysOption {
  readonly packed: boolean;
  readonly flat: boolean;
  readonly sequence: boolean;
}

/** Resume point around the root struct. */
class MessageResumePoint {
  readonly kind: 'message' | 'sequence' | 'packing';
  readonly next: number;
  /** Words to pack. */
  readonly words: Uint8Array | undefined;

  constructor(kind: 'message' | 'sequence' | 'packing', next: number, words?: Uint8Array) {
    this.kind = kind;
    this.next = next;
    this.words = words;
  }
}

/** Key omitted from error paths. */
const NO_STEP = '';

/** Writes Cap'n Proto messages of one segment (https://capnproto.org/encoding.html#serialization-over-a-stream). */
export class MessageWriter extends StructWriter {
  readonly #root: StructNode;
  readonly #framing: Framing;
  /** Position of the message; its bytes are retained until it ends. */
  #origin = Infinity;

  constructor(root: StructNode, framing: Framing, limits: Limits) {
    super(framing, limits);
    this.#root = root;
    this.#framing = framing;
  }

  override get pinned(): number {
    return this.#origin;
  }

  override write(value: unknown, at: number): number {
    if (!this.#framing.sequence) return this.#message(value, at);
    this.open();
    return this.#sequence(itemsOf(value) ?? this.fail('type', `${kindOf(value)} where an array of messages is expected`), 0, at);
  }

  protected override resumeIn(container: object, point: unknown, at: number): number {
    if (!(point instanceof MessageResumePoint)) return super.resumeIn(container, point, at);
    if (point.kind === 'message') return this.#end(container, at);
    return point.kind === 'packing' ? this.#pack(container, point.words!, point.next, at) : this.#sequence(container as Items, point.next, at);
  }

  protected override stepOf(point: unknown): string | number {
    if (!(point instanceof MessageResumePoint)) return super.stepOf(point);
    return point.kind === 'sequence' ? point.next - 1 : NO_STEP;
  }

  protected override at(step: string | number, error: unknown, container: object): unknown {
    return step === NO_STEP ? error : super.at(step, error, container);
  }

  #sequence(list: Items, from: number, at: number): number {
    const { length } = list;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(list, new MessageResumePoint('sequence', index), length);
        if ((at = this.#message(list[index], at)) === STOPPED) return this.stopped(list, new MessageResumePoint('sequence', index + 1), length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return at;
  }

  /**
   * Writes a message: the number of segments less 1, the words of its only segment, and the segment, which begins
   * with the root pointer.
   */
  #message(value: unknown, at: number): number {
    let start = room(at, 16);
    this.#origin = offsetOf(start);
    if (!this.#framing.flat) {
      view.setUint32(start, 0, true);
      start += 8;
    }
    view.setFloat64(start, 0);
    const next = this.struct(this.#root, value, view, start, offsetOf(start), start + 8);
    return next === STOPPED ? this.stopped(value as object, new MessageResumePoint('message', 0)) : this.#end(value as object, next);
  }

  #end(value: object, at: number): number {
    const origin = this.#origin;
    const { flat, packed } = this.#framing;
    const words = (offsetOf(at) - origin) / 8 - (flat ? 0 : 1);
    if (words > MAX_WORDS) this.fail('range', `the message has more than ${MAX_WORDS} words`);
    let next = at;
    if (!flat) next = replaceAt(origin + 4, 4, Uint8Array.of(words, words >>> 8, words >>> 16, words >>> 24), at);
    this.#origin = Infinity;
    if (!packed) return next;
    const { bytes, continueAt } = withdrawFrom(origin, next);
    return this.#pack(value, bytes, 0, continueAt);
  }

  #pack(value: object, words: Uint8Array, from: number, at: number): number {
    let next = at;
    for (let start = from; start < words.length; start += PACKED_AT_ONCE) {
      if (next > soft && (next = pass(next)) === STOPPED) return this.stopped(value, new MessageResumePoint('packing', start, words));
      next = writeBytes(pack(words, start, Math.min(words.length, start + PACKED_AT_ONCE)), next);
    }
    return next;
  }
}
