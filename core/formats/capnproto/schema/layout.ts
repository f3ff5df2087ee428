/*
 * Places of fields, in the order of their ordinals (https://capnproto.org/encoding.html#structs). This follows
 * `StructLayout` of the reference compiler step by step, since programs built years apart must agree. Sizes are
 * exponents: 0 is 1 bit, 6 a word; an offset counts units of its size.
 */

const WORD = 6;
const DISCRIMINANT = 4;

/** Gaps in space that is in use, at most one of each size below a word. An offset of 0 means that there is no gap, since the first field begins at 0. */
class Holes {
  readonly #at = [0, 0, 0, 0, 0, 0];

  /** Takes space from the smallest gap that has it, and returns its offset; 0 if none has. */
  take(size: number): number {
    if (size >= WORD) return 0;
    const own = this.#at[size]!;
    if (own > 0) {
      this.#at[size] = 0;
      return own;
    }
    const larger = 2 * this.take(size + 1);
    if (larger > 0) this.#at[size] = larger + 1;
    return larger;
  }

  /** Adds the gaps from `offset` to the end of a space of the size `end`. */
  add(size: number, offset: number, end: number = WORD): void {
    for (let [each, at] = [size, offset]; each < end; each += 1, at = (at + 1) / 2) this.#at[each] = at;
  }

  /** Doubles a space `times`, if the gaps after it allow. */
  expand(size: number, offset: number, times: number): boolean {
    if (times === 0) return true;
    if (size >= WORD || this.#at[size] !== offset + 1 || !this.expand(size + 1, offset >> 1, times - 1)) return false;
    this.#at[size] = 0;
    return true;
  }

  /** Size of the smallest gap of at least `size`; undefined for none. */
  smallest(size: number): number | undefined {
    const found = this.#at.findIndex((at, each) => each >= size && at > 0);
    return found < 0 ? undefined : found;
  }
}

/** Where fields are added: a struct, or a member of a union. */
export interface Space {
  addVoid(): void;
  /** Returns the offset in units of the size. */
  addData(size: number): number;
  addPointer(): number;
  expand(size: number, offset: number, times: number): boolean;
}

/** The sections of a struct. */
export class StructSpace implements Space {
  dataWords = 0;
  pointers = 0;
  readonly #holes = new Holes();

  addVoid(): void {
    // A field without a size has no place.
  }

  addData(size: number): number {
    const hole = this.#holes.take(size);
    if (hole > 0) return hole;
    const offset = this.dataWords * 2 ** (WORD - size);
    this.dataWords += 1;
    this.#holes.add(size, offset + 1);
    return offset;
  }

  addPointer(): number {
    return this.pointers++;
  }

  expand(size: number, offset: number, times: number): boolean {
    return this.#holes.expand(size, offset, times);
  }
}

/** A place in the data section that the members of a union share. */
interface Location {
  size: number;
  offset: number;
}

/** A union in a struct or in a member of another union. */
export class UnionSpace {
  readonly parent: Space;
  readonly locations: Location[] = [];
  readonly pointers: number[] = [];
  /** In units of 16 bits; undefined until it has a place. */
  discriminant: number | undefined = undefined;
  #members = 0;

  constructor(parent: Space) {
    this.parent = parent;
  }

  /** Counts a member that has a field: the second one makes a discriminant necessary. */
  addMember(): void {
    this.#members += 1;
    if (this.#members === 2) this.addDiscriminant();
  }

  /** Places the discriminant, unless it has a place. */
  addDiscriminant(): boolean {
    if (this.discriminant !== undefined) return false;
    this.discriminant = this.parent.addData(DISCRIMINANT);
    return true;
  }

  expandTo(location: Location, size: number): boolean {
    const times = size - location.size;
    if (times <= 0) return true;
    if (!this.parent.expand(location.size, location.offset, times)) return false;
    location.offset >>= times;
    location.size = size;
    return true;
  }
}

/** The part of a location that one member of a union uses. */
class Usage {
  readonly #union: UnionSpace;
  readonly #location: Location;
  readonly #holes = new Holes();
  /** Size of what is in use; −1 for nothing. */
  #used: number;

  constructor(union: UnionSpace, location: Location, used = -1) {
    this.#union = union;
    this.#location = location;
    this.#used = used;
  }

  /** Size of the smallest gap of at least `size`, which may lie after what is in use; undefined for none. */
  smallest(size: number): number | undefined {
    const { size: available } = this.#location;
    const used = this.#used;
    if (used < 0) return size <= available ? available : undefined;
    if (size >= used) return size < available ? size : undefined;
    return this.#holes.smallest(size) ?? (used < available ? used : undefined);
  }

  /** Takes space from the gap that `smallest` found. */
  take(size: number): number {
    const used = this.#used;
    let at = 0;
    if (used < 0) this.#used = size;
    else if (size >= used) {
      this.#holes.add(used, 1, size);
      this.#used = size + 1;
      at = 1;
    } else {
      at = this.#holes.take(size);
      if (at === 0) {
        at = 1 << (used - size);
        this.#holes.add(size, at + 1, used);
        this.#used += 1;
      }
    }
    return this.#begin(size) + at;
  }

  /** Takes space after enlarging the location; undefined if it cannot be. */
  takeByExpanding(size: number): number | undefined {
    if (this.#used < 0) {
      if (!this.#union.expandTo(this.#location, size)) return undefined;
      this.#used = size;
      return this.#begin(size);
    }
    const wanted = Math.max(this.#used, size) + 1;
    if (!this.#union.expandTo(this.#location, wanted)) return undefined;
    this.#holes.add(this.#used, 1, wanted);
    this.#used = wanted;
    return this.#begin(size) + this.#holes.take(size);
  }

  /** Doubles a space in this location, if it holds that space; undefined otherwise. */
  expand(size: number, offset: number, times: number): boolean | undefined {
    const { size: available, offset: begin } = this.#location;
    if (available < size || offset >> (available - size) !== begin) return undefined;
    const own = offset - (begin << (available - size));
    if (own !== 0 || this.#used !== size) return this.#holes.expand(size, own, times);
    if (!this.#union.expandTo(this.#location, size + times)) return false;
    this.#used = size + times;
    return true;
  }

  /** Offset of the location in units of a size. */
  #begin(size: number): number {
    return this.#location.offset * 2 ** (this.#location.size - size);
  }
}

/** A member of a union: one field, or those of a group or of another union. */
export class MemberSpace implements Space {
  readonly #union: UnionSpace;
  readonly #usages: Usage[] = [];
  #pointers = 0;
  #isUsed = false;

  constructor(union: UnionSpace) {
    this.#union = union;
  }

  addVoid(): void {
    this.#use();
    // A union around the union may need its discriminant.
    this.#union.parent.addVoid();
  }

  addData(size: number): number {
    this.#use();
    const { locations } = this.#union;
    let best: Usage | undefined;
    let bestSize = Infinity;
    for (const [index, location] of locations.entries()) {
      const usage = (this.#usages[index] ??= new Usage(this.#union, location));
      const gap = usage.smallest(size);
      if (gap !== undefined && gap < bestSize) {
        best = usage;
        bestSize = gap;
      }
    }
    if (best) return best.take(size);
    for (const usage of this.#usages) {
      const offset = usage.takeByExpanding(size);
      if (offset !== undefined) return offset;
    }
    const location = { size, offset: this.#union.parent.addData(size) };
    locations.push(location);
    this.#usages.push(new Usage(this.#union, location, size));
    return location.offset;
  }

  addPointer(): number {
    this.#use();
    const { pointers, parent } = this.#union;
    const index = this.#pointers++;
    return (pointers[index] ??= parent.addPointer());
  }

  expand(size: number, offset: number, times: number): boolean {
    if (size + times > WORD || (offset & ((1 << times) - 1)) !== 0) return false;
    for (const usage of this.#usages) {
      const result = usage.expand(size, offset, times);
      if (result !== undefined) return result;
    }
    return false;
  }

  #use(): void {
    if (this.#isUsed) return;
    this.#isUsed = true;
    this.#union.addMember();
  }
}
