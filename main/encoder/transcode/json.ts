import { PlacedError } from '../../../core/errors.ts';
import { RootLists, type RootList, type TakenItems } from '../../../core/sinks/objects/root-lists.ts';
import type { EncodeSession } from '../../../core/writing/encode.ts';
import type { PartWriter } from './target.ts';
import type { Put } from '../stream-of.ts';

const OBJECT = 0x7b;
const COMMA = 0x2c;

const encoder = new TextEncoder();

/**
 * Writes a list as JSON, or an object whose long lists arrive in pieces: the fields before such a list, the list, and
 * the fields after it.
 */
export class JsonParts {
  readonly lists = new RootLists();
  readonly #writer: PartWriter;
  readonly #put: Put;
  #list: RootList | undefined;
  #session: EncodeSession | undefined;
  #isEmpty = true;

  constructor(writer: PartWriter, put: Put) {
    this.#writer = writer;
    this.#put = put;
  }

  async take(taken: readonly TakenItems[]): Promise<void> {
    for (const { list, items } of taken) {
      if (list !== this.#list) await this.#begin(list);
      this.#session!.add(items);
      await this.#run(this.#session!);
    }
  }

  /** Writes the rest and the end. `root` is the value without the taken items. */
  async close(root: unknown): Promise<void> {
    await this.#endList();
    const rest = this.lists.rest(root);
    if (rest === undefined) return;
    await this.#fields(rest);
    await this.#put(encoder.encode('}'));
  }

  async #begin(list: RootList): Promise<void> {
    await this.#endList();
    await this.#fields(list.before);
    if (list.key !== undefined) await this.#put(encoder.encode(`${this.#isEmpty ? '{' : ','}${JSON.stringify(list.key)}:`));
    this.#isEmpty = false;
    this.#list = list;
    this.#session = this.#writer.session();
  }

  async #endList(): Promise<void> {
    if (this.#session === undefined) return;
    this.#session.close();
    await this.#run(this.#session);
  }

  /** Writes fields as an object without its end, and after the first call without its beginning. */
  async #fields(fields: RootList['before']): Promise<void> {
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    await this.#writer.run(this.#writer.session().write(Object.fromEntries(fields)), (chunk) => void chunks.push(chunk));
    // JSON omits some values, such as undefined.
    if (chunks.length === 1 && chunks[0]!.length === 2) return;
    chunks[0]![0] = this.#isEmpty ? OBJECT : COMMA;
    this.#isEmpty = false;
    const last = chunks.pop()!;
    for (const chunk of [...chunks, last.subarray(0, -1)]) if (chunk.length > 0) await this.#put(chunk);
  }

  async #run(session: EncodeSession): Promise<void> {
    try {
      await this.#writer.run(session, this.#put);
    } catch (error) {
      const key = this.#list?.key;
      if (key === undefined || !(error instanceof PlacedError)) throw error;
      error.path = [key, ...(error.path ?? [])];
      throw error.locate({});
    }
  }
}
