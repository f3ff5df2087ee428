import { decodeUtf8 } from '../../bytes/text/text.ts';

/** Kinds of containers. */
export const LIST = 0;
export const OBJECT = 1;
export const MAP = 2;
export const TAGGED = 3;

/** An open container of a value that is dropped. Frames are reused. */
interface Frame {
  kind: number;
  /** Complete values of a list or a map, keys included. */
  count: number;
  /** True from a key of an object to the end of its value. */
  keyed: boolean;
  /** The latest key: a string or number, or a range of the window. */
  key: string | number | undefined;
  from: number;
  end: number;
  /** Keys of a record. */
  keys: readonly string[] | undefined;
}

/** The place in a value that is dropped, for the paths of errors. */
export class DroppedPlace {
  /** Open containers. */
  depth = 0;
  readonly #frames: Frame[] = [];

  /** Opens a container. */
  open(kind: number, keys?: readonly string[]): void {
    const frame = (this.#frames[this.depth] ??= { kind, count: 0, keyed: false, key: undefined, from: 0, end: 0, keys });
    frame.kind = kind;
    frame.count = 0;
    frame.keyed = false;
    frame.keys = keys;
    this.depth += 1;
  }

  /** Closes the innermost container. */
  close(): void {
    this.depth -= 1;
    this.took(1);
  }

  /** Counts complete values of the innermost container. */
  took(values: number): void {
    if (this.depth === 0) return;
    const frame = this.#frames[this.depth - 1]!;
    frame.count += values;
    frame.keyed = false;
  }

  /** Notes a key of the open object, or of the open map. */
  key(text: string | number): void {
    const frame = this.#frames[this.depth - 1]!;
    frame.keyed = true;
    frame.key = text;
  }

  /** The same for a key in a range of the window. */
  keyAt(from: number, end: number): void {
    const frame = this.#frames[this.depth - 1]!;
    frame.keyed = true;
    frame.key = undefined;
    frame.from = from;
    frame.end = end;
  }

  /** Notes a field of the open record. */
  field(index: number): void {
    this.key(this.#frames[this.depth - 1]!.keys![index]!);
  }

  /** True if the next value of the innermost container is a key of a map. */
  get isAtMapKey(): boolean {
    const frame = this.#frames[this.depth - 1];
    return frame?.kind === MAP && frame.count % 2 === 0;
  }

  /** Copies keys from the window, which changes. */
  keep(bytes: Uint8Array): void {
    for (let depth = 0; depth < this.depth; depth += 1) {
      const frame = this.#frames[depth]!;
      if (frame.keyed) frame.key ??= decodeUtf8(bytes, frame.from, frame.end, -1);
    }
  }

  /** The steps from the dropped value to the current one. */
  path(bytes: Uint8Array): (string | number)[] {
    this.keep(bytes);
    const path: (string | number)[] = [];
    for (const { kind, count, keyed, key } of this.#frames.slice(0, this.depth)) {
      if (kind === LIST) path.push(count);
      else if (keyed && key !== undefined) path.push(key);
    }
    return path;
  }
}
