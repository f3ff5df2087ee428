import type { SpanData } from '../../../core/sinks/spans/tree.ts';

/** Columns of a tree that is made from another one. */
export class Columns {
  count = 1;
  kinds: Uint8Array<ArrayBuffer>;
  starts: Uint32Array<ArrayBuffer>;
  values: Uint32Array<ArrayBuffer>;
  ends: Uint32Array<ArrayBuffer>;
  heads: Uint16Array<ArrayBuffer>;
  nexts: Uint32Array<ArrayBuffer>;
  parents: Uint32Array<ArrayBuffer>;
  keys: Uint32Array<ArrayBuffer>;
  numbers: Float64Array<ArrayBuffer>;

  constructor(room: number) {
    this.kinds = new Uint8Array(room);
    this.starts = new Uint32Array(room);
    this.values = new Uint32Array(room);
    this.ends = new Uint32Array(room);
    this.heads = new Uint16Array(room);
    this.nexts = new Uint32Array(room);
    this.parents = new Uint32Array(room);
    this.keys = new Uint32Array(room);
    this.numbers = new Float64Array(room);
  }

  /** Copies an entry into a container of the new tree. */
  copy(data: SpanData, node: number, parent: number, key: number): number {
    const made = this.begin(data.kinds[node]!, parent, key, data.starts[node]!, data.ends[node]!);
    this.values[made] = data.values[node]!;
    this.heads[made] = data.heads[node]!;
    this.numbers[made] = data.numbers[node]!;
    return made;
  }

  /** Adds an entry without a key of its own. */
  begin(kind: number, parent: number, key: number, start: number, end: number): number {
    if (this.count === this.kinds.length) this.#grow(Math.ceil(this.count * 1.3) + 16);
    const node = this.count;
    this.count = node + 1;
    this.kinds[node] = kind;
    this.starts[node] = this.values[node] = start;
    this.ends[node] = Math.max(start, end);
    this.nexts[node] = node + 1;
    this.parents[node] = parent;
    this.keys[node] = key;
    return node;
  }

  columns(): Omit<SpanData, 'length' | 'names' | 'storedValues' | 'elsewhere' | 'tail'> {
    const { count } = this;
    return {
      count,
      kinds: this.kinds.subarray(0, count),
      starts: this.starts.subarray(0, count),
      values: this.values.subarray(0, count),
      ends: this.ends.subarray(0, count),
      heads: this.heads.subarray(0, count),
      nexts: this.nexts.subarray(0, count),
      parents: this.parents.subarray(0, count),
      keys: this.keys.subarray(0, count),
      numbers: this.numbers.subarray(0, count),
    };
  }

  #grow(room: number): void {
    this.kinds = grown(this.kinds, new Uint8Array(room));
    this.starts = grown(this.starts, new Uint32Array(room));
    this.values = grown(this.values, new Uint32Array(room));
    this.ends = grown(this.ends, new Uint32Array(room));
    this.heads = grown(this.heads, new Uint16Array(room));
    this.nexts = grown(this.nexts, new Uint32Array(room));
    this.parents = grown(this.parents, new Uint32Array(room));
    this.keys = grown(this.keys, new Uint32Array(room));
    this.numbers = grown(this.numbers, new Float64Array(room));
  }
}

function grown<T extends Uint8Array | Uint16Array | Uint32Array | Float64Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
