import type { JsonObject } from './values.ts';

/** Adds a member as `JSON.parse` does: never to a prototype, and never through a setter. */
export function setMember(object: JsonObject, key: string, value: unknown): void {
  if (key in object) Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
  else object[key] = value;
}

/** Adds the members of another object. */
export function addMembers(object: JsonObject, more: JsonObject): void {
  for (const key of Object.keys(more)) setMember(object, key, more[key]);
}

/**
 * Appends the items from index `from` on, one by one, so that the list grows in place and nothing else is copied. Reads
 * by `at` for the reason given at `listNestsDeeper`.
 */
export function addItems(list: unknown[], more: readonly unknown[], from = 0): void {
  for (let at = from; at < more.length; at += 1) list.push(more.at(at));
}
