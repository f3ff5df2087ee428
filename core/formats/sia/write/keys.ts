/** A key's number in the value being written. */
export interface KeyNumber {
  /** The value in which it has the number. */
  epoch: number;
  number: number;
}

/** A key in the context of the keys before it. */
export interface KeyNode {
  readonly key: string;
  readonly number: KeyNumber;
  /** The key that followed it last time. */
  next: KeyNode | undefined;
  readonly others: Map<string, KeyNode>;
}

/** Limit on nodes and keys remembered from one value to the next. */
const MAX_COUNT = 8_192;

/** Numbers the keys of a value, each of which is written in full once. */
export class KeyNumbers {
  /** The node before the first key of an object. */
  none = newNode('', { epoch: 0, number: 0 });
  /** The value being written. */
  epoch = 0;
  #count = 0;
  #nodes = 0;
  #keys = new Map<string, KeyNumber>();

  /** Begins a value, in which no key has a number yet. */
  begin(): void {
    this.epoch += 1;
    this.#count = 0;
    if (this.#nodes < MAX_COUNT && this.#keys.size < MAX_COUNT) return;
    this.none = newNode('', { epoch: 0, number: 0 });
    this.#nodes = 0;
    this.#keys = new Map();
  }

  /** Gives a key the next number. */
  give(number: KeyNumber): void {
    number.epoch = this.epoch;
    number.number = this.#count++;
  }

  /** The number of a key, which may belong to an earlier value. */
  find(key: string): KeyNumber {
    let number = this.#keys.get(key);
    if (number === undefined) this.#keys.set(key, (number = { epoch: 0, number: 0 }));
    return number;
  }

  /** The node of a key that follows `node`, if it was not the next one last time. */
  follow(node: KeyNode, key: string): KeyNode {
    const known = node.others.get(key);
    if (known !== undefined) return (node.next = known);
    const made = newNode(key, this.find(key));
    // A node that is not remembered has no followers.
    if (this.#nodes === MAX_COUNT) return made;
    this.#nodes += 1;
    node.others.set(key, made);
    return (node.next = made);
  }
}

function newNode(key: string, number: KeyNumber): KeyNode {
  return { key, number, next: undefined, others: new Map() };
}
