import { type Items, itemsOf } from '../../../writing/binary-values.ts';
import { offsetOf, out, pass, replaceAt, room, soft, STOPPED } from '../../../bytes/output.ts';
import type { Limits } from '../../../limits.ts';
import type { ExtraKeysOption } from '../../../writing/extra-keys.ts';
import { kindOf } from '../../../writing/writer.ts';
import { NO_STEP, NO_VTABLES, TableWriter } from './table-writer.ts';
import { uint32 } from './values.ts';
import type { ObjectNode } from './plan.ts';

const IDENTIFIER_BYTES = 4;
/** Largest size of a buffer. */
const MAX_BYTES = 2 ** 32 - 1;

/** Framing of buffers. */
interface Framing extends ExtraKeysOption {
  readonly identifier: string;
  readonly sizePrefixed: boolean;
  readonly sequence: boolean;
}

/** Resume point around a buffer, which may be number `next` of a sequence. */
class BufferResumePoint {
  readonly kind: 'buffer' | 'sequence';
  readonly next: number;
  /** Position of the buffer; −1 between two. */
  readonly base: number;

  constructor(kind: 'buffer' | 'sequence', next: number, base: number) {
    this.kind = kind;
    this.next = next;
    this.base = base;
  }
}

/** Writes FlatBuffers (https://flatbuffers.dev/internals): one buffer or a sequence. */
export class BufferWriter extends TableWriter {
  readonly #root: ObjectNode;
  readonly #framing: Framing;

  constructor(root: ObjectNode, framing: Framing, limits: Limits) {
    super(framing, limits);
    this.#root = root;
    this.#framing = framing;
  }

  override write(value: unknown, at: number): number {
    if (!this.#framing.sequence) return this.#buffer(value, at);
    this.open();
    return this.#sequence(itemsOf(value) ?? this.fail('type', `${kindOf(value)} where an array of buffers is expected`), 0, at);
  }

  protected override resumeIn(container: object, point: unknown, at: number): number {
    if (!(point instanceof BufferResumePoint)) return super.resumeIn(container, point, at);
    const next = this.#endBuffer(point.base, at);
    return point.kind === 'buffer' ? next : this.#sequence(container as Items, point.next, next);
  }

  protected override stepOf(point: unknown): string | number {
    if (!(point instanceof BufferResumePoint)) return super.stepOf(point);
    return point.kind === 'buffer' ? NO_STEP : point.next - 1;
  }

  #sequence(list: Items, from: number, at: number): number {
    const { length } = list;
    let index = from;
    try {
      for (; index < length; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(list, new BufferResumePoint('sequence', index, -1), length);
        const start = offsetOf(at);
        if ((at = this.#buffer(list[index], at)) === STOPPED) return this.stopped(list, new BufferResumePoint('sequence', index + 1, start), length);
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== length) this.fail('changed', 'a list that changes while it is written');
    this.depth -= 1;
    return at;
  }

  /** Writes a buffer: its length if size-prefixed, the offset of the root table, the identifier, and the table. */
  #buffer(value: unknown, at: number): number {
    const { identifier, sizePrefixed, sequence } = this.#framing;
    this.useVtables(NO_VTABLES);
    let start = at > soft ? room(at, 0) : at;
    this.origin = offsetOf(start);
    if (sizePrefixed || sequence) start += 4;
    const root = offsetOf(start);
    let next = start + 4;
    for (let index = 0; identifier !== '' && index < IDENTIFIER_BYTES; index += 1) out[next++] = identifier.charCodeAt(index);
    next = this.tableAt(this.#root, value, root, 4, next);
    // In a sequence, the frame of the sequence ends the buffer.
    if (next !== STOPPED) return this.#endBuffer(this.origin, next);
    return sequence ? STOPPED : this.stopped(value as object, new BufferResumePoint('buffer', 0, this.origin));
  }

  #endBuffer(origin: number, at: number): number {
    if (origin < 0) return at;
    const bytes = offsetOf(at) - origin;
    if (bytes > MAX_BYTES) this.fail('range', 'the buffer has more than 4 GiB');
    const { sizePrefixed, sequence } = this.#framing;
    const next = sizePrefixed || sequence ? replaceAt(origin, 4, uint32(bytes - 4), at) : at;
    this.origin = Infinity;
    return next;
  }
}
