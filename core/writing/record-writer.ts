import { pass, room, soft, STOPPED } from '../bytes/output.ts';
import { FieldPlace } from './resume-points.ts';
import type { RecordIds, RecordNode } from './record-ids.ts';
import { TreeWriter } from './tree-writer.ts';

/** Base of writers for formats that also have records, whose keys are defined once. */
export abstract class RecordWriter extends TreeWriter {
  /** True once it has written a value. Items of a list are values of their own. */
  #hasBegun = false;
  protected abstract readonly records: RecordIds | undefined;
  protected abstract readonly wantsRecord: ((value: object) => boolean) | undefined;

  override begin(value: unknown, at: number): number {
    if (this.#hasBegun) this.records?.check(this);
    this.#hasBegun = true;
    this.records?.begin(this);
    return this.#ended(super.begin(value, at));
  }

  override resume(at: number): number {
    this.records?.check(this);
    return this.#ended(super.resume(at));
  }

  #ended(at: number): number {
    if (at !== STOPPED) this.records?.end();
    return at;
  }

  /** Writes the head of a record of `size` values whose id is already defined. */
  protected abstract recordHead(id: number, size: number, at: number): number;

  /** Defines an id, and writes the head of the first record that has it. */
  protected abstract definition(id: number, keys: readonly string[], at: number): number;

  /** Writes a string value. */
  protected abstract writeText(text: string, at: number): number;

  /** Writes a map of an object's own keys, without those to skip. */
  protected abstract keyed(value: object, at: number): number;

  /** Writes an object's own keys as a record if requested, and otherwise as a map. */
  protected recordOrMap(value: object, at: number): number {
    if (this.records === undefined || this.wantsRecord?.(value) === false) return this.keyed(value, at);
    const keys = Object.keys(value);
    if (keys.length === 0) this.refuseSource(value);
    const next = this.#head(this.records.find(keys), keys, at);
    if (next === NO_ID) return this.keyed(value, at);
    this.open(value);
    return this.fields(value, new FieldPlace(keys, 0, true), next);
  }

  /** Writes a plain object as a record. `for … in` must find own keys only. */
  protected record(value: Readonly<Record<string, unknown>>, at: number): number {
    const records = this.records!;
    let node = records.root;
    for (const key in value) {
      const { next } = node;
      node = next !== undefined && next.key === key ? next : records.follow(node, key);
    }
    const { size } = node;
    if (at > soft) at = room(at, 0);
    const start = node.id === 0 ? this.#head(node, Object.keys(value), at) : this.recordHead(node.id, size, at);
    if (start === NO_ID) return this.keyed(value, at);
    at = start;
    this.open(value);
    let count = 0;
    let last = '';
    try {
      for (const key in value) {
        last = key;
        count += 1;
        const item = value[key];
        // The most common type, without a further call.
        at = typeof item === 'string' ? this.writeText(item, at) : this.write(item, at);
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) {
          if (!hasKeys(node, Object.keys(value))) this.fail('changed', 'an object that changes while it is written');
          return this.stoppedAt(key, value, count, size);
        }
      }
    } catch (error) {
      throw this.at(last, error, value);
    }
    if (count !== size) this.fail('changed', 'an object that changes while it is written');
    return this.closed(at);
  }

  /** Writes the head of a record; returns NO_ID if no id is left for its structure. */
  #head(node: RecordNode, keys: readonly string[], at: number): number {
    const records = this.records!;
    if (at > soft) at = room(at, 0);
    if (node.id !== 0) return this.recordHead(node.id, keys.length, at);
    const { id } = records.give(node, keys);
    if (id === 0) return NO_ID;
    return records.mustDefine ? this.definition(id, keys, at) : this.recordHead(id, keys.length, at);
  }
}

const NO_ID = -2;

/** True if a node stands for these keys. */
function hasKeys(node: RecordNode, keys: readonly string[]): boolean {
  if (keys.length !== node.size) return false;
  let at = node;
  for (let index = keys.length - 1; index >= 0; index -= 1) {
    if (at.key !== keys[index]) return false;
    at = at.before!;
  }
  return true;
}
