import { EncodeError } from '../errors.ts';
import { COUNT, FLAG_OR_FUNCTION, FUNCTION, LIST } from '../option-kinds.ts';
import { KEPT, type KeepsRecords } from '../kept-records.ts';
import { FLAG, type OptionTable } from '../option-table.ts';

/** The keys of each structure, by number. */
type Structures = readonly (readonly string[] | null | undefined)[];

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
  /** Returns the saved shared structures. Called at the beginning, before each save, and after a declined one. */
  getStructures?: (() => Structures | null | undefined) | undefined;
  /**
   * Saves the shared structures. Called once for each new one, before bytes that need it are emitted. Where other
   * processes save too, return `false` to decline if `isCompatible` says that the list does not continue the one that is
   * saved now: the writer then continues that one. A promise is not awaited. Without `getStructures`, encodes with the
   * same function continue the list that it saved last.
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
   * Keeps structures that one encode defined for the next ones of the same encoder, of the same stream of `messages`, or to the
   * same socket of `send`; of `encodeSync`, for the next ones with the same object of options. A reader must read all of their
   * bytes in order, as one sequence, or as messages with its own `keepRecords`. Each encode must end before the next one begins.
   * Default false.
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
const MAX_NODES = 16_384;

/** Assigns ids to the record structures of msgpackr and cbor-x; each format's `Records` reads them. */
export class RecordIds {
  root = newNode('', undefined);
  /** True if the id that `give` returned last must be defined in the bytes. */
  mustDefine = false;

  readonly #options: RecordOptions;
  readonly #mostShared: number;
  readonly #mostOwn: number;
  readonly #idOf: (number: number) => number;
  #shared: Structures;
  /** How many of the shared structures have their ids. */
  #numbered = 0;
  #isLoaded: boolean;
  /** Nodes with ids defined in the bytes, oldest first. */
  #own: RecordNode[] = [];
  #nextOwn = 0;
  #nodes = 0;
  /** The writer that has begun last, and true if its value is not complete yet. */
  #writer: object | undefined;
  #isOpen = false;

  /** The ids of a writer with these options: those of the encodes before it if structures are kept. */
  static of(options: RecordOptions, numbers: RecordNumbers): RecordIds {
    if (options.keepRecords !== true) return new RecordIds(options, numbers);
    const keeper = (options as KeepsRecords)[KEPT] ?? options;
    const known = KEEPERS.get(keeper) ?? new Map<RecordNumbers, RecordIds>();
    KEEPERS.set(keeper, known);
    const ids = known.get(numbers) ?? new RecordIds(options, numbers);
    known.set(numbers, ids);
    return ids;
  }

  constructor(options: RecordOptions, numbers: RecordNumbers) {
    const shares = options.structures !== undefined || options.getStructures !== undefined || options.saveStructures !== undefined;
    const { maxSharedStructures: shared = numbers.defaults(shares).shared } = options;
    const { maxOwnStructures: own = Math.min(numbers.defaults(shares).own, numbers.most - shared) } = options;
    if (shared > numbers.mostShared) throw new RangeError(`maxSharedStructures is more than ${numbers.mostShared}`);
    if (shared + own > numbers.most) throw new RangeError(`maxSharedStructures and maxOwnStructures are more than ${numbers.most} together`);
    this.#options = options;
    this.#mostShared = shared;
    this.#mostOwn = own;
    this.#idOf = numbers.ids(shared, own);
    this.#shared = options.structures ?? [];
    this.#isLoaded = options.getStructures === undefined && options.saveStructures === undefined;
    this.#addShared();
  }

  /** Begins a value, and forgets the structures that the previous one has defined, unless they are kept and it is complete. */
  begin(writer: object): void {
    const isWhole = !this.#isOpen;
    this.#writer = writer;
    this.#isOpen = true;
    if (!this.#isLoaded) this.#load();
    if (this.#options.keepRecords === true && isWhole && this.#nodes < MAX_NODES) return;
    for (const node of this.#own) node.id = 0;
    this.#own = [];
    this.#nextOwn = 0;
    if (this.#nodes >= MAX_NODES) this.#rebuild();
    else if (this.#options.structures !== undefined) this.#addShared();
  }

  /** Ends the value. */
  end(): void {
    this.#isOpen = false;
  }

  /** Throws if another encode, whose bytes may define the same ids, has begun. */
  check(writer: object): void {
    if (this.#writer !== writer) throw new EncodeError('changed', 'another encode with keepRecords has begun: await each before the next one');
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
    if (this.#nodes >= MAX_NODES && !isShared) return made;
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

  /** Shares a structure; undefined if all numbers are taken, or there is nowhere to save it. */
  #share(keys: readonly string[]): RecordNode | undefined {
    const { structures, saveStructures } = this.#options;
    for (;;) {
      // Another encode may have shared some since.
      if (saveStructures !== undefined) this.#load();
      else if (this.#shared === structures) this.#addShared();
      else return undefined;
      const known = this.find(keys);
      if (known.id !== 0) return known;
      if (this.#shared.length >= this.#mostShared) return undefined;
      if (saveStructures === undefined) structures!.push(keys);
      else if (!this.#save([...this.#shared, keys] as (readonly string[])[], saveStructures)) continue;
      this.#addShared();
      return this.find(keys);
    }
  }

  /** Saves a list that continues the shared one; false if the store has another one. */
  #save(list: readonly (readonly string[])[], save: Save): boolean {
    const shared = this.#shared;
    const result = save(list, (saved) => begins(shared, saved ?? []));
    if (result === false) {
      SAVED.delete(save);
      this.#load();
      if (this.#shared.length === shared.length) throw new EncodeError('changed', 'saveStructures declines, and getStructures gives nothing new');
      return false;
    }
    this.#shared = list;
    if (this.#options.getStructures === undefined || isPromise(result)) SAVED.set(save, list);
    // Once it has settled, the store gives the list.
    if (this.#options.getStructures !== undefined && isPromise(result)) {
      const settled = (): void => void (SAVED.get(save) === list && SAVED.delete(save));
      result.then(settled, settled);
    }
    return true;
  }

  /** Loads the saved structures, which must begin with those already known. */
  #load(): void {
    const { getStructures, saveStructures } = this.#options;
    const loaded = (saveStructures && SAVED.get(saveStructures)) ?? getStructures?.() ?? [];
    if (loaded.length > this.#mostShared) {
      throw new EncodeError('range', `${loaded.length} structures are shared: maxSharedStructures must be as many`);
    }
    // The store may be slow to give those that were saved last.
    const isOlder = begins(this.#shared, loaded);
    if (!isOlder && !begins(loaded, this.#shared)) throw new EncodeError('changed', 'the shared structures are others than before');
    if (!isOlder) this.#shared = [...loaded];
    this.#isLoaded = true;
    this.#addShared();
  }

  /** Gives new shared structures their ids. */
  #addShared(): void {
    for (; this.#numbered < this.#shared.length; this.#numbered += 1) {
      const keys = this.#shared[this.#numbered];
      if (!keys) continue;
      const node = this.find(keys, true);
      const own = this.#own.indexOf(node);
      // Its number in the bytes stays taken until its turn comes.
      if (own >= 0) this.#own[own] = newNode('', undefined);
      node.id = this.#idOf(this.#numbered);
    }
  }

  #rebuild(): void {
    this.root = newNode('', undefined);
    this.#nodes = 0;
    this.#numbered = 0;
    this.#addShared();
  }
}

/** The ids whose structures are kept, by what they belong to. */
const KEEPERS = new WeakMap<object, Map<RecordNumbers, RecordIds>>();

type Save = NonNullable<RecordOptions['saveStructures']>;

/** By the function that saved it, the list that the next encode continues, if no store gives it or none does yet. */
const SAVED = new WeakMap<Save, Structures>();

function isPromise(value: unknown): value is PromiseLike<unknown> {
  return typeof (value as Partial<PromiseLike<unknown>> | null | undefined)?.then === 'function';
}

/** True if some structures begin with others. */
function begins(all: Structures, first: readonly unknown[]): boolean {
  return first.length <= all.length && first.every((keys, index) => areSame(all[index] ?? [], (keys ?? []) as readonly unknown[]));
}

function areSame(keys: readonly string[], others: readonly unknown[]): boolean {
  return keys.length === others.length && keys.every((key, index) => key === others[index]);
}

function newNode(key: string, before: RecordNode | undefined): RecordNode {
  return { key, before, size: before === undefined ? 0 : before.size + 1, next: undefined, others: new Map(), id: 0 };
}
