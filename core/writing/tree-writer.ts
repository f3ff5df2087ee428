import { pass, soft, STOPPED } from '../bytes/output.ts';
import { type EntryPlace, FieldPlace, ItemPlace, RootPlace } from './resume-points.ts';
import type { SharedValues } from './shared-values.ts';
import { Writer } from './writer.ts';

/**
 * Base of writers for self-describing formats. Its loops over lists, keys, Maps, Sets and sequences can stop and
 * resume. A format implements values and keys, and writes heads before it calls a loop.
 */
export abstract class TreeWriter extends Writer {
  /** Objects that occur several times; undefined if references are not requested. */
  protected shared: SharedValues | undefined;

  /** Writes a key of an object. */
  protected abstract writeKey(key: string, at: number): number;

  /**
   * Writes a root value, or each item of `value` as a root. Before each root, it finds objects that occur several times
   * if `sharing` is given; after each root, it calls `endRoot`.
   */
  protected roots(value: unknown, isSequence: boolean, sharing: (new (root: unknown) => SharedValues) | undefined, at: number): number {
    if (isSequence && !Array.isArray(value)) this.fail('type', 'a sequence must be an array');
    this.shared = undefined;
    this.depth = 1;
    const values = isSequence ? (value as unknown[]) : [value];
    return this.#roots(values, new RootPlace(values.length, isSequence, sharing), at);
  }

  /** Ends a value at the root. Returns the position after the bytes that follow it. */
  protected endRoot(at: number): number {
    return at;
  }

  /** Writes the items of a list from index `from` on, of the `count` that its head declares. */
  protected items(list: readonly unknown[], from: number, count: number, at: number): number {
    let index = from;
    try {
      for (; index < count; index += 1) {
        if (at > soft && (at = pass(at)) === STOPPED) return this.stopped(list, new ItemPlace(index, count));
        if ((at = this.write(list[index], at)) === STOPPED) return this.stopped(list, new ItemPlace(index + 1, count));
      }
    } catch (error) {
      throw this.at(index, error, list);
    }
    if (list.length !== count) this.fail('changed', 'the list changed while it was written');
    return this.closed(at);
  }

  /** Writes the remaining keys and values of an object, or only the values of a record. */
  protected fields(value: object, { keys, next: from, isRecord }: FieldPlace, at: number): number {
    let next = from;
    try {
      for (; next < keys.length; next += 1) {
        const key = keys[next]!;
        if (!isRecord) at = this.writeKey(key, at);
        const item = (value as Record<string, unknown>)[key];
        if (item === undefined && !Object.hasOwn(value, key)) this.fail('changed', 'a key that is gone');
        at = this.write(item, at);
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) return this.stopped(value, new FieldPlace(keys, next + 1, isRecord));
      }
    } catch (error) {
      throw this.at(keys[next], error, value);
    }
    return this.closedFields(at);
  }

  /** Writes the remaining keys and values of a Map, or the items of a Set. */
  protected entries(container: object, place: EntryPlace, at: number): number {
    try {
      while (place.move()) {
        at = this.write(place.item, at);
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) return this.stopped(container, place);
      }
    } catch (error) {
      throw this.at(place.step, error, container);
    }
    if (place.count !== place.size) this.fail('changed', `a ${place.isMap ? 'Map' : 'Set'} that changes while it is written`);
    return this.closedEntries(place.isMap, at);
  }

  /** Ends an object. Returns the position after its end. */
  protected closedFields(at: number): number {
    return this.closed(at);
  }

  /** Ends a Map or a Set. Returns the position after its end. */
  protected closedEntries(_isMap: boolean, at: number): number {
    return this.closed(at);
  }

  /** Ends a container. */
  protected closed(at: number): number {
    this.depth -= 1;
    return at;
  }

  /**
   * The slice has ended after the value of `key`, the `count`th that was written. The keys to resume with are read
   * again, and must be `size` many if that is known.
   */
  protected stoppedAt(key: string, value: object, count: number, size = -1): number {
    const keys = Object.keys(value);
    if (keys[count - 1] !== key || (size >= 0 && keys.length !== size)) this.fail('changed', 'an object that changes while it is written');
    return this.stopped(value, new FieldPlace(keys, count, size >= 0));
  }

  /** Writes a value instead of another one. Counts as a level, since that value may be replaced in turn without end. */
  protected instead(value: unknown, at: number): number {
    this.open();
    const end = this.write(value, at);
    this.depth -= 1;
    return end;
  }

  protected override resumeIn(container: object, place: unknown, at: number): number {
    if (place instanceof ItemPlace) return this.items(container as unknown[], place.next, place.count, at);
    if (place instanceof FieldPlace) return this.fields(container, place, at);
    if (place instanceof RootPlace) return this.#roots(container as unknown[], place, at);
    return this.entries(container, place as EntryPlace, at);
  }

  protected override stepOf(place: unknown): string | number | undefined {
    if (place instanceof ItemPlace) return place.next - 1;
    if (place instanceof FieldPlace) return place.keys[place.next - 1]!;
    if (place instanceof RootPlace) return place.isSequence ? place.next : undefined;
    return (place as EntryPlace).step;
  }

  #roots(values: readonly unknown[], place: RootPlace, at: number): number {
    try {
      while (place.next < place.count) {
        at = this.#root(values[place.next], place, at);
        if (at === STOPPED || (at > soft && (at = pass(at)) === STOPPED)) return this.stopped(values, place);
      }
    } catch (error) {
      throw this.at(place.isSequence ? place.next : undefined, error, values);
    }
    if (values.length !== place.count) this.fail('changed', 'the list changed while it was written');
    return at;
  }

  #root(value: unknown, place: RootPlace, at: number): number {
    if (place.state === 'find') {
      if (place.sharing !== undefined) {
        place.finder ??= new place.sharing(value);
        if ((at = place.finder.find(at)) === STOPPED) return STOPPED;
        this.shared = place.finder;
        place.finder = undefined;
      }
      place.state = 'end';
      if ((at = this.write(value, at)) === STOPPED) return STOPPED;
    }
    place.state = 'find';
    place.next += 1;
    return this.endRoot(at);
  }
}
