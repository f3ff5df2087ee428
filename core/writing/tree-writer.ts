import { pass, soft, STOPPED } from '../bytes/output.ts';
import { type EntryPlace, FieldPlace, ItemPlace, RootPlace } from './resume-points.ts';
import type { SharedValues } from './shared-values.ts';
import { Writer } from './writer.ts';

/**
 * Writes the values of formats that describe themselves: its loops over lists, keys, Maps, Sets and sequences can be
 * stopped and gone on with. A format says how it writes a value and a key, and writes heads before it calls a loop.
 */
export abstract class TreeWriter extends Writer {
  /** The objects that are in several places; undefined where the format's references are not asked for. */
  protected shared: SharedValues | undefined;

  /** Writes a key of an object. */
  protected abstract writeKey(key: string, at: number): number;

  /**
   * Writes a value that is the root, or each item of `value` as a root of its own. Before each of them it finds what is in
   * several places, where it is told by what class; behind each of them `endRoot` is called.
   */
  protected roots(value: unknown, isSequence: boolean, sharing: (new (root: unknown) => SharedValues) | undefined, at: number): number {
    if (isSequence && !Array.isArray(value)) this.fail('type', 'a sequence must be an array');
    this.shared = undefined;
    this.depth = 1;
    const values = isSequence ? (value as unknown[]) : [value];
    return this.#roots(values, new RootPlace(values.length, isSequence, sharing), at);
  }

  /** A value at the root is whole. Returns the position after what belongs to it. */
  protected endRoot(at: number): number {
    return at;
  }

  /** Writes the items of a list from one on, which are `count` by its head. */
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

  /** Writes the keys and values of an object that are left, or the values alone where it is a record. */
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

  /** Writes the keys and values of a Map that are left, or the items of a Set. */
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

  /** An object is whole. Returns the position after its end. */
  protected closedFields(at: number): number {
    return this.closed(at);
  }

  /** A Map or a Set is whole. Returns the position after its end. */
  protected closedEntries(_isMap: boolean, at: number): number {
    return this.closed(at);
  }

  /** A container is whole. */
  protected closed(at: number): number {
    this.depth -= 1;
    return at;
  }

  /**
   * The turn has ended behind the value of `key`, the `count`th that was written: the keys are those that there are now,
   * which must be `size` where that is known.
   */
  protected stoppedAt(key: string, value: object, count: number, size = -1): number {
    const keys = Object.keys(value);
    if (keys[count - 1] !== key || (size >= 0 && keys.length !== size)) this.fail('changed', 'an object that changes while it is written');
    return this.stopped(value, new FieldPlace(keys, count, size >= 0));
  }

  /** Writes what is to be in the place of another value: which may ask for that again and again. */
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
