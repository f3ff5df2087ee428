import type { SharedValues } from './shared-values.ts';

/** Where to resume in an array. */
export class ItemPlace {
  readonly next: number;
  /** How many items its head has announced. */
  readonly count: number;

  constructor(next: number, count: number) {
    this.next = next;
    this.count = count;
  }
}

/** Where to resume in an object. */
export class FieldPlace {
  readonly keys: readonly string[];
  readonly next: number;
  /** Its keys are not written with the values. */
  readonly isRecord: boolean;

  constructor(keys: readonly string[], next: number, isRecord: boolean) {
    this.keys = keys;
    this.next = next;
    this.isRecord = isRecord;
  }
}

/** Where to resume in a Map or a Set. */
export class EntryPlace {
  readonly iterator: Iterator<unknown>;
  readonly size: number;
  readonly isMap: boolean;
  /** How many were written or begun. */
  count = 0;
  step: string | number = 0;
  item: unknown;
  /** The value of a Map entry whose key is written. */
  value: unknown;
  hasValue = false;

  constructor(container: ReadonlySet<unknown> | ReadonlyMap<unknown, unknown>, isMap: boolean) {
    this.iterator = container[Symbol.iterator]();
    this.size = container.size;
    this.isMap = isMap;
  }

  /** Moves on to the next key, value or item, and stores it in `item`; false at the end. */
  move(): boolean {
    if (this.hasValue) {
      this.hasValue = false;
      this.item = this.value;
      return true;
    }
    const { done, value } = this.iterator.next();
    if (done === true) return false;
    if (this.isMap) {
      [this.item, this.value] = value as [unknown, unknown];
      this.hasValue = true;
      this.step = typeof this.item === 'string' || typeof this.item === 'number' ? this.item : this.count;
    } else {
      this.item = value;
      this.step = this.count;
    }
    this.count += 1;
    return true;
  }
}

/** The next step for a value at the root. */
export type RootState = 'find' | 'write' | 'end';

/** Where to resume among the values at the root. */
export class RootPlace {
  next = 0;
  state: RootState = 'find';
  /** The values belong to a sequence, with steps of their own in error paths. */
  readonly isSequence: boolean;
  readonly count: number;
  /** Finds objects that occur several times before a value is written. */
  readonly sharing: (new (root: unknown) => SharedValues) | undefined;
  finder: SharedValues | undefined;

  constructor(count: number, isSequence: boolean, sharing: (new (root: unknown) => SharedValues) | undefined) {
    this.count = count;
    this.isSequence = isSequence;
    this.sharing = sharing;
  }
}
