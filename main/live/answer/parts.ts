import { DecodeError, LimitError } from '../../../core/errors.ts';
import type { PartialValue } from '../../../core/sinks/partial/partial-value.ts';

/** A tool that the model calls. */
export interface AnswerCall {
  /** Id of the call, for the result that is sent back; undefined if the service gives none. */
  readonly id: string | undefined;
  /** Name of the tool. */
  readonly name: string;
  /** The arguments so far, as a value; undefined before they begin. A tool without a schema has a text. */
  readonly arguments: unknown;
  /** True once the arguments are whole. Those of an answer that was cut by a limit never are. */
  readonly complete: boolean;
}

/** The parts of an answer of a language model so far. Finished parts are the same objects in each. */
export interface AnswerParts {
  readonly text: string;
  /** Text of a refusal, which comes instead of an answer. */
  readonly refusal: string;
  /** The model's reasoning, or a summary of it, if the service sends it. */
  readonly reasoning: string;
  /** Calls of tools that the application has, in the order in which they began. */
  readonly calls: readonly AnswerCall[];
  /** Tokens used, in the service's own words. */
  readonly usage: Readonly<Record<string, unknown>> | undefined;
  /** Why the answer ended, in the service's own word (`stop`, `tool_calls`, `end_turn`); undefined before that. */
  readonly stop: string | undefined;
}

/** Takes the parts of an answer but its text, in pieces. A call is known by its `key`; the pieces of others are ignored. */
export interface Take {
  refusal(text: string | null | undefined): void;
  reasoning(text: string | null | undefined): void;
  /** Begins a call, or completes its name and id. Arguments that are a text are no JSON. */
  call(key: unknown, id: string | undefined, name: string | undefined, isText?: boolean): void;
  args(key: unknown, text: string | null | undefined): void;
  /** The whole arguments of a call. */
  whole(key: unknown, value: unknown): void;
  /** Numbers that replace those before. */
  usage(usage: object | null | undefined): void;
  stop(reason: string | null | undefined): void;
}

interface OpenCall {
  id: string | undefined;
  name: string;
  /** A value in part, or a text. */
  value: PartialValue | string;
  /** The whole arguments, once they have been given as such. */
  whole: { readonly value: unknown } | undefined;
  begun: boolean;
  given: AnswerCall | undefined;
}

const NO_ARGUMENTS = '{}';

/**
 * Collects the parts of an answer.
 *
 * @internal
 */
export class Parts implements Take {
  refused = '';
  readonly #make: () => PartialValue;
  readonly #longest: number;
  readonly #calls = new Map<unknown, OpenCall>();
  #text = '';
  #reasoning = '';
  #usage: Record<string, unknown> | undefined;
  #stop: string | undefined;
  #changed = false;
  #last: AnswerParts | undefined;

  /** `make` makes the value of a call's arguments. `longest` is the limit of a text, in characters. */
  constructor(make: () => PartialValue, longest: number) {
    this.#make = make;
    this.#longest = longest;
  }

  push(text: string): void {
    this.#text = this.#joined(this.#text, text);
  }

  refusal(text: string | null | undefined): void {
    this.refused = this.#joined(this.refused, text);
  }

  reasoning(text: string | null | undefined): void {
    this.#reasoning = this.#joined(this.#reasoning, text);
  }

  call(key: unknown, id: string | undefined, name: string | undefined, isText = false): void {
    const call = this.#calls.get(key);
    if (!call) this.#calls.set(key, { id, name: name ?? '', value: isText ? '' : this.#make(), whole: undefined, begun: false, given: undefined });
    else {
      call.id ||= id;
      call.name ||= name ?? '';
    }
    this.#changed = true;
  }

  args(key: unknown, text: string | null | undefined): void {
    const call = this.#calls.get(key);
    if (!call || !text) return;
    call.begun = true;
    if (typeof call.value === 'string') call.value = this.#joined(call.value, text);
    else call.value.push(text);
    this.#changed = true;
  }

  whole(key: unknown, value: unknown): void {
    const call = this.#calls.get(key);
    if (!call) return;
    const { given } = this.#give(call);
    // Finished arguments stay the same object.
    call.whole = { value: given.complete && JSON.stringify(given.arguments) === JSON.stringify(value) ? given.arguments : value };
    this.#changed = true;
  }

  usage(usage: object | null | undefined): void {
    if (!usage) return;
    const known = Object.entries(usage).filter(([name, value]) => value !== null || this.#usage?.[name] === undefined);
    this.#usage = { ...this.#usage, ...Object.fromEntries(known) };
    this.#changed = true;
  }

  stop(reason: string | null | undefined): void {
    if (!reason) return;
    this.#stop = reason;
    this.#changed = true;
  }

  /** The parts so far; the same object until they change. */
  value(): AnswerParts | undefined {
    if (!this.#changed) return this.#last;
    this.#changed = false;
    const before = this.#last?.calls;
    const calls = Array.from(this.#calls.values(), (call) => this.#give(call).given);
    const areSame = before?.length === calls.length && calls.every((call, at) => call === before[at]);
    this.#last = {
      text: this.#text,
      refusal: this.refused,
      reasoning: this.#reasoning,
      calls: areSame ? before : calls,
      usage: this.#usage,
      stop: this.#stop,
    };
    return this.#last;
  }

  finish(): void {
    const isWhole = this.#stop !== undefined;
    for (const call of this.#calls.values()) {
      if (call.whole) continue;
      const { value } = call;
      if (typeof value !== 'string') {
        // A tool without parameters may be called without arguments.
        if (isWhole && !call.begun) value.push(NO_ARGUMENTS);
        value.value(Infinity);
        // Throws the error of arguments that are not JSON.
        value.push('');
        // Cut by the answer's limit, which is the reason to stop.
        if (value.openPath) continue;
      }
      if (isWhole) call.whole = { value: typeof value === 'string' ? value : value.finish() };
      this.#changed = true;
    }
    if (!isWhole) throw new DecodeError('truncated', 'the answer was cut: its stream ended without a reason to stop');
  }

  /** Makes what is given of a call, if it has changed. */
  #give(call: OpenCall): { given: AnswerCall } {
    const { id, name, value, whole, given } = call;
    const isText = typeof value === 'string';
    const args = whole ? whole.value : isText ? value : value.value();
    const complete = whole !== undefined || (!isText && value.openPath === undefined);
    if (!given || given.arguments !== args || given.complete !== complete || given.id !== id || given.name !== name) {
      call.given = { id, name, arguments: args, complete };
    }
    return call as { given: AnswerCall };
  }

  #joined(text: string, more: string | null | undefined): string {
    if (!more) return text;
    this.#changed = true;
    if (text.length + more.length > this.#longest) {
      throw new LimitError('stringLength', `stringLength limit exceeded: a text of over ${this.#longest} characters in an answer`);
    }
    return text + more;
  }
}
