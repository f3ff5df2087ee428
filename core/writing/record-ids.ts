import { EncodeError } from '../errors.ts';
import { COUNT, FLAG_OR_FUNCTION, FUNCTION, LIST } from '../option-kinds.ts';
import { FLAG, type OptionTable } from '../option-table.ts';

/**
 * Options for writing plain objects as records, whose keys are written once. The first value of each is the default.
 */
export interface RecordOptions {
  /**
   * Writes plain objects as records of msgpackr or cbor-x, whose keys are written once: all of them, or those for which
   * the function returns true. Their readers must support records. Default false.
   */
  records?: (boolean | ((value: object) => boolean)) | undefined;
  /**
   * The record structures that the writer shares with its readers: lists of keys by number (the decoder's
   * `structures`). Without `saveStructures`, new ones are appended to this array, which the reader must then be given.
   */
  structures?: (readonly string[] | null | undefined)[] | undefined;
  /** Returns the saved shared structures. Called at the beginning, and after a declined save. */
  getStructures?: (() => readonly (readonly string[] | null | undefined)[] | null | undefined) | undefined;
  /**
   * Saves the shared structures. Called once for each new one, before bytes that need it are emitted. Return `false` to
   * decline because another writer has saved in the meantime: `isCompatible` tells whether the saved structures allow
   * saving.
   */
  saveStructures?:
    | ((structures: readonly (readonly string[])[], isCompatible: (saved: readonly unknown[] | null | undefined) => boolean) => unknown)
    | undefined;
  /** Decides whether the structure of these keys is shared. Default: every structure, as long as numbers are left. */
  shouldShareStructure?: ((keys: readonly string[]) => boolean) | undefined;
  /**
   * How many structures may be shared. Default with `structures` or `saveStructures`: 32 for MessagePack, of at most
   * 8,160, and 128 for CBOR, of at most 8,190; otherwise 0.
   */
  maxSharedStructures?: number | undefined;
  /**
   * How many structures the bytes themselves may define at one time. Default for MessagePack 64, or 32 if some are
   * shared; for CBOR 256, less those that may be shared.
   */
  maxOwnStructures?: number | undefined;
  /**
   * Keeps structures that one encode defined for the next encodes of the same encoder: a reader must read all of their
   * bytes as one sequence. Default false.
   */
  keepRecords?: boolean | undefined;
}

/** Values of the options for records. */
export const RECORD_OPTIONS: OptionTable<RecordOptions> = {
  records: FLAG_OR_FUNCTION,
  structures: LIST,
  getStructures: FUNCTION,
  saveStructures: FUNCTION,
  shouldShareStructure: FUNCTION,
  maxSharedStructures: COUNT,
  maxOwnStructures: COUNT,
  keepRecords: FLAG,
};

/** A sequence of keys: a node stands for all keys up to its own. */
export interface RecordNode {
  readonly key: string;
  /** The node of the preceding keys; undefined at the root, which stands for no keys. */
  readonly before: RecordNode | undefined;
  /** The key that followed it last time. */
  next: RecordNode | undefined;
  readonly others: Map<string, RecordNode>;
  /** How many keys. */
  readonly size: number;
  /** The structure's id as written; 0 for none. */
  id: number;
}

/** How a format numbers structures. */
export interface RecordNumbers {
  /** Limits on shared structures, and on all structures. */
  readonly mostShared: number;
  readonly most: number;
  /** Default limits of both kinds. `shares`: some structures are shared. */
  defaults(shares: boolean): { shared: number; own: number };
  /** Creates a function from a structure's number to its id as written, which is never 0. */
  ids(shared: number, own: number): (number: number) => number;
}

/** Limit of nodes. When it is reached, all structures are forgotten before the next encode. */
const MOST_NODES = 16_384;

/** Assigns ids to the record structures of msgpackr and cbor-x; each format's `Records` reads them. */
export class RecordIds {
  root = newNode('', undefined);
  /** True if the id that `give` returned last must be defined in the bytes. */
  mustDefine = false;

  readonly #options: RecordOptions;
  readonly #mostShared: number;
  readonly #mostOwn: number;
  readonly #idOf: (number: number) => number;
  #shared: (readonly string[] | null | undefined)[];
  /** How many shared structures are saved. */
  #saved = 0;
  #isLoaded: boolean;
  /** Nodes with ids defined in the bytes, oldest first. */
  #own: RecordNode[] = [];
  #nextOwn = 0;
  #nodes = 0;

  constructor(options: RecordOptions, numbers: RecordNumbers) {
    const shares = options.structures !== undefined || options.saveStructures !== undefined;
    const { maxSharedStructures: shared = numbers.defaults(shares).shared } = options;
    const { maxOwnStructures: own = Math.min(numbers.defaults(shares).own, numbers.most - shared) } = options;
    if (shared > numbers.mostShared) throw new RangeError(`maxSharedStructures is more than ${numbers.mostShared}`);
    if (shared + own > numbers.most) throw new RangeError(`more than ${numbers.most} structures at one time`);
    this.#options = options;
    this.#mostShared = shared;
    this.#mostOwn = own;
    this.#idOf = numbers.ids(shared, own);
    this.#shared = options.structures ?? [];
    this.#isLoaded = options.getStructures === undefined;
    this.#addShared();
  }

  /** Begins an encode and forgets the structures defined by the previous one. */
  begin(): void {
    if (!this.#isLoaded) this.#load();
    if (this.#options.keepRecords === true && this.#nodes < MOST_NODES) return;
    for (const node of this.#own) node.id = 0;
    this.#own = [];
    this.#nextOwn = 0;
    if (this.#nodes >= MOST_NODES) this.#rebuild();
    else if (this.#options.structures !== undefined) this.#addShared();
  }

  /**
   * The node of a key that follows `node`, if it was not the next one last time. Nodes of shared structures are always
   * remembered.
   */
  follow(node: RecordNode, key: string, isShared = false): RecordNode {
    const known = node.others.get(key);
    if (known !== undefined) return (node.next = known);
    const made = newNode(key, node);
    // Forgotten nodes are created again when their keys recur.
    if (this.#nodes >= MOST_NODES && !isShared) return made;
    this.#nodes += 1;
    node.others.set(key, made);
    return (node.next = made);
  }

  /** The node of a list of keys. */
  find(keys: readonly string[], isShared = false): RecordNode {
    let node = this.root;
    for (const key of keys) node = node.next?.key === key ? node.next : this.follow(node, key, isShared);
    return node;
  }

  /** Assigns an id to a structure without one. Returns the node with the id, which is 0 if none is left. */
  give(node: RecordNode, keys: readonly string[]): RecordNode {
    this.mustDefine = false;
    if (this.#shared.length < this.#mostShared && this.#options.shouldShareStructure?.(keys) !== false) {
      const shared = this.#share(keys);
      if (shared !== undefined) return shared;
    }
    if (this.#mostOwn === 0) return node;
    if (this.#own.length === this.#mostOwn) this.#own.shift()!.id = 0;
    node.id = this.#idOf(this.#mostShared + this.#nextOwn);
    this.#nextOwn = (this.#nextOwn + 1) % this.#mostOwn;
    this.#own.push(node);
    this.mustDefine = true;
    return node;
  }

  /** Shares a structure; undefined if another one has taken the last number. */
  #share(keys: readonly string[]): RecordNode | undefined {
    const { saveStructures } = this.#options;
    while (this.#shared.length < this.#mostShared) {
      const shared = [...this.#shared, keys];
      const saved = this.#saved;
      const isCompatible = (others: readonly unknown[] | null | undefined): boolean => (others?.length ?? 0) === saved;
      if (saveStructures === undefined) this.#shared.push(keys);
      else if (saveStructures(shared as (readonly string[])[], isCompatible) === false) {
        this.#load();
        const now = this.find(keys);
        if (now.id !== 0) return now;
        if (this.#saved === saved) throw new EncodeError('changed', 'saveStructures declines, and getStructures gives nothing new');
        continue;
      } else this.#shared = shared;
      this.#saved = this.#shared.length;
      const node = this.find(keys, true);
      node.id = this.#idOf(this.#shared.length - 1);
      return node;
    }
    return undefined;
  }

  /** Loads the saved structures, which must begin with those already known. */
  #load(): void {
    const { getStructures } = this.#options;
    const loaded = getStructures?.() ?? [];
    if (loaded.length > this.#mostShared) {
      throw new EncodeError('range', `${loaded.length} structures are shared: maxSharedStructures must be as many`);
    }
    if (this.#isLoaded && !this.#shared.every((keys, index) => areSame(keys ?? [], loaded[index] ?? [])))
      throw new EncodeError('changed', 'the shared structures are others than before');
    this.#isLoaded = true;
    this.#shared = [...loaded];
    this.#addShared();
  }

  #addShared(): void {
    for (const [index, keys] of this.#shared.entries()) if (keys) this.find(keys, true).id = this.#idOf(index);
    this.#saved = this.#shared.length;
  }

  #rebuild(): void {
    this.root = newNode('', undefined);
    this.#nodes = 0;
    this.#addShared();
  }
}

function areSame(keys: readonly string[], others: readonly string[]): boolean {
  return keys.length === others.length && keys.every((key, index) => key === others[index]);
}

function newNode(key: string, before: RecordNode | undefined): RecordNode {
  return { key, before, size: before === undefined ? 0 : before.size + 1, next: undefined, others: new Map(), id: 0 };
}
