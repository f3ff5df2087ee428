/** A key, and the number that it has in the value being written. */
export interface KeyNumber {
  /** The value in which it has that number. */
  epoch: number;
  number: number;
}

/** A key as it was met behind others. */
export interface KeyNode {
  readonly key: string;
  readonly number: KeyNumber;
  /** The key that came next, the last time. */
  next: KeyNode | undefined;
  readonly others: Map<string, KeyNode>;
}

/** Nodes, and keys, that are kept from one value to the next. */
const MOST = 8_192;

/** Numbers the keys of a value, each of which is written in full once. */
export class KeyNumbers {
  /** Before the first key of an object. */
  none = newNode('', { epoch: 0, number: 0 });
  /** The value being written. */
  epoch = 0;
  #count = 0;
  #nodes = 0;
  #keys = new Map<string, KeyNumber>();

  /** A value begins, in which no key has a number. */
  begin(): void {
    this.epoch += 1;
    this.#count = 0;
    if (this.#nodes < MOST && this.#keys.size < MOST) return;
    this.none = newNode('', { epoch: 0, number: 0 });
    this.#nodes = 0;
    this.#keys = new Map();
  }

  /** Gives a key the next number. */
  give(number: KeyNumber): void {
    number.epoch = this.epoch;
    number.number = this.#count++;
  }

  /** What is known of a key. */
  find(key: string): KeyNumber {
    let number = this.#keys.get(key);
    if (number === undefined) this.#keys.set(key, (number = { epoch: 0, number: 0 }));
    return number;
  }

  /** The node of a key behind `node`, which was not the next one last time. */
  follow(node: KeyNode, key: string): KeyNode {
    const known = node.others.get(key);
    if (known !== undefined) return (node.next = known);
    const made = newNode(key, this.find(key));
    // One that is not kept has no others behind it.
    if (this.#nodes === MOST) return made;
    this.#nodes += 1;
    node.others.set(key, made);
    return (node.next = made);
  }
}

function newNode(key: string, number: KeyNumber): KeyNode {
  return { key, number, next: undefined, others: new Map() };
}
