import type { EncodeSession } from '../../../core/writing/encode.ts';
import { PlacedError } from '../../../core/errors.ts';
import { type RootList, RootLists, type TakenItems } from '../../../core/sinks/objects/root-lists.ts';
import { type CountedForm, countedForm } from './counted-forms.ts';
import type { MadeWriter } from '../make-writer.ts';
import { listTarget, type PartWriter, type Target } from './target.ts';
import type { Put } from '../stream-of.ts';

type Chunk = Uint8Array<ArrayBuffer>;
type Step = string | number;

/** Creates the target for a format whose containers begin with a count or a length, if it writes values independently. */
export function countedTarget({ id, options }: MadeWriter, writer: PartWriter, put: Put): Target | undefined {
  const form = countedForm(id, options);
  return form && listTarget(new CountedParts(form, writer, put));
}

/** Items of a list written so far, without its head. */
class HeldList {
  readonly chunks: Chunk[] = [];
  count = 0;
}

/**
 * Writes a list, or an object with long lists, that begins with its number of items or bytes. Items are written as they
 * arrive, and their bytes buffered until the end.
 */
class CountedParts {
  readonly lists = new RootLists();
  readonly #form: CountedForm;
  readonly #writer: PartWriter;
  readonly #put: Put;
  /** The current list, and its items written so far. */
  #list: RootList | undefined;
  #held = new HeldList();
  /** Fields of the root object, in the order of object keys. */
  readonly #fields = Object.create(null) as Record<string, unknown>;

  constructor(form: CountedForm, writer: PartWriter, put: Put) {
    this.#form = form;
    this.#writer = writer;
    this.#put = put;
  }

  async take(taken: readonly TakenItems[]): Promise<void> {
    for (const { list, items } of taken) {
      if (list !== this.#list) await this.#begin(list);
      await this.#hold(list.key, items);
    }
  }

  /** Writes everything. `root` is the value without the taken items. */
  async close(root: unknown): Promise<void> {
    const rest = this.lists.rest(root);
    await this.#putAll(rest === undefined ? this.#complete(this.#held) : await this.#object(rest));
  }

  async #begin(list: RootList): Promise<void> {
    this.#list = list;
    this.#held = new HeldList();
    this.#addFields(list.before);
    if (list.key !== undefined) this.#fields[list.key] = this.#held;
    // Lets the writer report that it cannot write a list.
    else if (!this.#form.hasRootLists) await this.#written([]);
  }

  async #hold(key: string | undefined, items: readonly unknown[]): Promise<void> {
    const held = this.#held;
    const own = this.#form.items(items, held.count);
    const ends = [this.#form.list(items.length, 0)];
    if (key !== undefined) ends.push(this.#form.object(1, 0));
    const chunks = await this.#written(key === undefined ? own : { '': own }, (path) => placed(path, key, held.count));
    const head = lengthOf(ends.map((one) => one.head)) + (key === undefined ? 0 : this.#form.emptyKey);
    held.chunks.push(...trimmed(chunks, head, lengthOf(ends.map(({ end }) => end))));
    held.count += items.length;
  }

  #addFields(fields: RootList['before']): void {
    for (const [key, value] of fields) this.#fields[key] = value;
  }

  /** Writes the root object in one go. */
  async #object(rest: RootList['before']): Promise<Chunk[]> {
    this.#addFields(rest);
    const keys = Object.keys(this.#fields);
    const parts: Chunk[] = [];
    let group: [key: string, value: unknown][] = [];
    for (const [index, key] of keys.entries()) {
      const value = this.#fields[key];
      const list = value instanceof HeldList ? value : undefined;
      group.push([key, list ? [] : value]);
      if (list === undefined && index < keys.length - 1) continue;
      for (const chunk of await this.#fieldsOf(group, list !== undefined)) parts.push(chunk);
      if (list !== undefined) for (const chunk of this.#complete(list, key)) parts.push(chunk);
      group = [];
    }
    const { head, end } = this.#form.object(keys.length, lengthOf(parts));
    return [head, ...parts, end];
  }

  /** Writes fields without their object. If the last one is a list, writes only its key. */
  async #fieldsOf(fields: readonly (readonly [key: string, value: unknown])[], endsWithList: boolean): Promise<Chunk[]> {
    const { head, end } = this.#form.object(fields.length, 0);
    const list = this.#form.list(0, 0);
    const after = endsWithList ? list.head.length + list.end.length + end.length : end.length;
    return trimmed(await this.#written(Object.fromEntries(fields)), head.length, after);
  }

  /** Completes a list. Takes over its chunks, so that each can be released after it was emitted. */
  #complete({ chunks, count }: HeldList, key?: string): Chunk[] {
    try {
      const { head, end } = this.#form.list(count, lengthOf(chunks));
      return [head, ...chunks.splice(0), end];
    } catch (error) {
      throw relocated(error, () => (key === undefined ? [] : [key]));
    }
  }

  /** Bytes of a value. `pathOf` converts paths inside it to paths in the complete value. */
  async #written(value: unknown, pathOf?: (path: Step[]) => Step[]): Promise<Chunk[]> {
    const chunks: Chunk[] = [];
    const session: EncodeSession = this.#writer.session().write(value);
    try {
      await this.#writer.run(session, (chunk) => void chunks.push(chunk));
    } catch (error) {
      throw pathOf === undefined ? error : relocated(error, pathOf);
    }
    return chunks;
  }

  /** Emits chunks, and releases each. */
  async #putAll(chunks: Chunk[]): Promise<void> {
    chunks.reverse();
    for (let chunk = chunks.pop(); chunk !== undefined; chunk = chunks.pop()) if (chunk.length > 0) await this.#put(chunk);
  }
}

/** Path of an item in the complete value. `path` begins with the empty key, unless the list is the root. */
function placed(path: readonly Step[], key: string | undefined, first: number): Step[] {
  const own = key === undefined ? path : path.slice(1);
  // In BSON, the step is a key, which already contains the index in the complete list.
  const inside = own.map((step, depth) => (depth > 0 ? step : typeof step === 'string' ? Number(step) : step + first));
  return key === undefined ? inside : [key, ...inside];
}

function relocated(error: unknown, pathOf: (path: Step[]) => Step[]): unknown {
  if (!(error instanceof PlacedError)) return error;
  error.path = pathOf(error.path ?? []);
  return error.locate({});
}

function lengthOf(chunks: readonly Chunk[]): number {
  return chunks.reduce((sum, { length }) => sum + length, 0);
}

/** Removes bytes at both ends. */
function trimmed(chunks: readonly Chunk[], before: number, after: number): Chunk[] {
  const to = lengthOf(chunks) - after;
  const parts: Chunk[] = [];
  let at = 0;
  for (const chunk of chunks) {
    const part = chunk.subarray(Math.max(before - at, 0), Math.max(to - at, 0));
    if (part.length > 0) parts.push(part);
    at += chunk.length;
  }
  return parts;
}
