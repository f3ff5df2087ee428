import type { DecodeSession } from '../decode.ts';
import type { JobInput } from './job-input.ts';
import type { Joint, JointQuery, Splice } from './protocol.ts';
import type { ColumnSink } from '../sinks/columns/columns.ts';

/**
 * The part of the worker that leads a decode which others share. It reads the payload from its start, and all that
 * nobody else has read. Where another has begun, it says whether an item of a list really begins there, and leaves out
 * what the other has read of that list.
 */
export class Lead {
  readonly #answer: (joint: Joint) => void;
  #session: DecodeSession | undefined;
  #sink: ColumnSink | undefined;
  #query: JointQuery | undefined;

  constructor(answer: (joint: Joint) => void) {
    this.#answer = answer;
  }

  begin(session: DecodeSession, sink: ColumnSink): void {
    this.#session = session;
    this.#sink = sink;
  }

  receive(message: JointQuery | Splice): void {
    if ('cut' in message) {
      this.#query = message;
      this.sliced();
    } else {
      this.#sink!.segment(message.segment, message.count, message.records);
      this.#session!.skip(message);
    }
  }

  /** Some input was read: answers, where it has come as far as was asked. */
  sliced(): void {
    if (!this.#session || this.#query?.cut !== this.#session.received) return;
    this.#query = undefined;
    const { itemDepth, tally } = this.#session;
    this.#answer({ itemDepth: this.#sink!.takesSegment ? itemDepth : -1, tally });
  }
}

/** The part of a worker that reads what is only a piece of a payload: items of a list, to the end of the list at most. */
export class Piece {
  readonly #session: DecodeSession;
  readonly #input: JobInput;

  constructor(session: DecodeSession, input: JobInput) {
    this.#session = session;
    this.#input = input;
    session.beginInList();
  }

  /** Some input was read: no more is, where the list has ended. */
  sliced(): void {
    if (this.#session.listEnd < 0) return;
    this.#input.drop();
    this.#input.end();
  }
}
