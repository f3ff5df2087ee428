import { ARRAY, OBJECT, type OpenContainer } from './frame.ts';
import { cut, type EmittedList, completeItems } from './items.ts';

/** A list that is emitted while it is read: the root, or a field of the object at the root. */
export interface RootList {
  /** Key of the list; undefined if it is the root. */
  readonly key: string | undefined;
  /** Fields before the list, except those emitted with an earlier list. */
  readonly before: readonly (readonly [key: string, value: unknown])[];
}

/** Consecutive items of a list. */
export interface TakenItems {
  readonly list: RootList;
  readonly items: readonly unknown[];
}

/**
 * Takes the items of lists that are incomplete when `take` is called: the list at the root, or any list in the object
 * at the root. Other lists stay in place. The fields before such a list are taken out of the object too, so in the end
 * the object holds the fields after the last of these lists, and that list, empty.
 */
export class RootLists implements EmittedList {
  /** The list that items were last taken from, and its array. */
  #list: RootList | undefined;
  #target: unknown;
  /** Its frame while it is open. */
  #open: OpenContainer | undefined;
  /** Its last items. */
  #ended: TakenItems | undefined;
  /** Keys of the object that were emitted. */
  readonly #keys = new Set<string>();

  get found(): boolean {
    return this.#list !== undefined;
  }

  /** Fields of the object at the root that were not emitted, once it is complete. Undefined if the root is a list. */
  rest(root: unknown): RootList['before'] | undefined {
    return root === this.#target ? undefined : this.#fields(root as object);
  }

  begin(): void {
    // Lists are chosen in `take`: their length is not known yet.
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
    const count = completeItems(list, list === innermost ? undefined : list.inner);
    if (count === 0 || !(list === this.#open || this.#begin(list, root, anchored))) return taken;
    taken.push({ list: this.#list!, items: cut(list, count) });
    return taken;
  }

  /**
   * Starts taking from a list, unless a reference names it or its object, or a field that belongs before it may still
   * follow.
   */
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

  /** True if a record lacks a key that belongs before its last one. */
  #mayPrecede({ target, keys, key, disordered }: OpenContainer): boolean {
    if (keys === undefined) return false;
    return disordered || keys.slice(0, keys.indexOf(key as string)).some((one) => !this.#keys.has(one) && !Object.hasOwn(target as object, one));
  }

  /** Removes the fields of an object that were not emitted, except the value `last`, and returns them. */
  #fields(object: object, last?: unknown): [key: string, value: unknown][] {
    const fields: [key: string, value: unknown][] = [];
    for (const [key, value] of Object.entries(object)) {
      if (value === last) continue;
      // The target is the empty rest of a list that was emitted. The value of a repeated key is emitted again.
      if (value !== this.#target) fields.push([key, value]);
      this.#keys.add(key);
      delete (object as Record<string, unknown>)[key];
    }
    return fields;
  }
}

/** The open list at the root, or in the object at the root, that contains `innermost`. */
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
