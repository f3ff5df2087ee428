import { ARRAY, OBJECT, type OpenContainer } from './frame.ts';
import { cut, type EmittedList, wholeItems } from './items.ts';

/** A list that is the root, or a field of the object at the root, and is given out while it is read. */
export interface RootList {
  /** Undefined where it is the root. */
  readonly key: string | undefined;
  /** The fields that came before it, but for those that were given out with a list before it. */
  readonly before: readonly (readonly [key: string, value: unknown])[];
}

/** Some consecutive items of a list. */
export interface TakenItems {
  readonly list: RootList;
  readonly items: readonly unknown[];
}

/**
 * Takes the items of a list at the root, or of any list in the object at the root, that is not whole when `take` is called.
 * All others stay where they are. The fields before such a list are taken out of its object as well: what the object has at the
 * end are the fields behind the last of these lists, and that list, which is empty.
 */
export class RootLists implements EmittedList {
  /** The list that was taken from last. */
  #list: RootList | undefined;
  #target: unknown;
  /** The same while it is being built. */
  #open: OpenContainer | undefined;
  /** Its last items. */
  #ended: TakenItems | undefined;
  /** The keys of the object that were given out. */
  readonly #keys = new Set<string>();

  get found(): boolean {
    return this.#list !== undefined;
  }

  /** The fields of the object at the root that were not given out, once it is whole. Undefined where the root is a list. */
  rest(root: unknown): RootList['before'] | undefined {
    return root === this.#target ? undefined : this.#fields(root as object);
  }

  begin(): void {
    // It is not known yet which lists are long.
  }

  end(list: OpenContainer): void {
    if (list !== this.#open) return;
    this.#ended = { list: this.#list!, items: cut(list, list.index) };
    this.#open = undefined;
  }

  take(innermost: OpenContainer, root: OpenContainer, anchored?: ReadonlyMap<number, unknown>): TakenItems[] {
    const taken = this.#ended === undefined ? [] : [this.#ended];
    this.#ended = undefined;
    const list = listAround(innermost, root);
    if (list === undefined) return taken;
    const count = wholeItems(list, list === innermost ? undefined : list.inner);
    if (count === 0 || !(list === this.#open || this.#begin(list, root, anchored))) return taken;
    taken.push({ list: this.#list!, items: cut(list, count) });
    return taken;
  }

  /** Begins to take from a list, unless something refers to it or its object, or a field that belongs before it may still come. */
  #begin(list: OpenContainer, root: OpenContainer, anchored: ReadonlyMap<number, unknown> | undefined): boolean {
    const object = list.outer === root ? undefined : list.outer!;
    for (const value of anchored?.values() ?? []) if (value === list.target || value === object?.target) return false;
    if (object !== undefined && this.#mayPrecede(object)) return false;
    const key = object?.key as string | undefined;
    const before = object === undefined ? [] : this.#fields(object.target as object, list.target);
    if (key !== undefined) this.#keys.add(key);
    this.#open = list;
    this.#target = list.target;
    this.#list = { key, before };
    return true;
  }

  /** Whether a record, whose keys have an order of their own, lacks a key that belongs before its last. */
  #mayPrecede({ target, keys, key, disordered }: OpenContainer): boolean {
    if (keys === undefined) return false;
    return disordered || keys.slice(0, keys.indexOf(key as string)).some((one) => !this.#keys.has(one) && !Object.hasOwn(target as object, one));
  }

  /** Takes the fields of an object that are neither given out nor the value `last`. */
  #fields(object: object, last?: unknown): [key: string, value: unknown][] {
    const fields: [key: string, value: unknown][] = [];
    for (const [key, value] of Object.entries(object)) {
      if (value === last) continue;
      // Of a list that was taken from, there is the empty rest. What a key has that came once more is given out too.
      if (value !== this.#target) fields.push([key, value]);
      this.#keys.add(key);
      delete (object as Record<string, unknown>)[key];
    }
    return fields;
  }
}

/** The list at the root, or in the object at the root, that is open where `innermost` is what is being read. */
function listAround(innermost: OpenContainer, root: OpenContainer): OpenContainer | undefined {
  let outer: OpenContainer | undefined;
  let inner: OpenContainer | undefined;
  for (let frame = innermost; frame !== root; frame = frame.outer!) {
    inner = outer;
    outer = frame;
  }
  if (outer === undefined || isList(outer)) return outer;
  return outer.place === OBJECT && inner !== undefined && isList(inner) ? inner : undefined;
}

function isList({ place, gathered }: OpenContainer): boolean {
  return place === ARRAY && gathered === undefined;
}
