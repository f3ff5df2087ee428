import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Decoder, DeepPartial } from 'unspool';
import json from 'unspool/formats/json';
import { createPartial } from 'unspool/partial';
import type { Choice } from '../payloads/catalogue.ts';
import { fetchOk } from '../payloads/load-blob.ts';

/** A travel plan, as `demo/server/data/itinerary.mjs` makes it. */
export interface Itinerary {
  readonly title: string;
  readonly days: readonly Day[];
}

export interface Day {
  readonly day: number;
  readonly place: string;
  readonly stops: readonly Stop[];
}

export interface Stop {
  readonly time: string;
  readonly name: string;
  readonly note: string;
}

/** Days of the plan. */
export type Days = '7' | '30' | '100';

export const DAYS: readonly Choice<Days>[] = [
  { value: '7', label: '7 days', note: 'About 6 kB of JSON, in pieces of 16 characters.' },
  { value: '30', label: '30 days', note: 'About 26 kB of JSON, in pieces of 16 characters.' },
  { value: '100', label: '100 days', note: 'About 85 kB of JSON, in pieces of 16 characters.' },
];

/** State of the plan. */
export interface ChatState {
  readonly phase: 'idle' | 'running' | 'done' | 'stopped' | 'failed';
  readonly plan: DeepPartial<Itinerary> | undefined;
  readonly characters: number;
  readonly pieces: number;
  /** Milliseconds so far: of pieces decoded once, and of all of the text parsed again for each piece. */
  readonly ownMs: number;
  readonly againMs: number;
  readonly error: unknown;
}

export interface Chat {
  readonly days: Signal<Days>;
  readonly state: ReadonlySignal<ChatState>;
  start(): Promise<void>;
  stop(): void;
}

const IDLE: ChatState = { phase: 'idle', plan: undefined, characters: 0, pieces: 0, ownMs: 0, againMs: 0, error: undefined };
/** Pieces a second. */
const RATE = 1_000;

/** Shows a plan while its JSON arrives, and measures what it costs to have its value after each piece in two ways. */
export function createChat(decoder: Decoder, load: typeof fetch = (...request) => fetch(...request)): Chat {
  const days = signal<Days>('30');
  const state = signal<ChatState>(IDLE);
  let stopping = new AbortController();

  async function start(): Promise<void> {
    stopping.abort();
    stopping = new AbortController();
    const { signal: stopped } = stopping;
    state.value = { ...IDLE, phase: 'running' };
    const partial = createPartial<Itinerary>(json);
    let text = '';
    let [pieces, ownMs, againMs] = [0, 0, 0];
    let request = 0;
    const show = (): void => {
      request = 0;
      state.value = { ...state.peek(), plan: partial.value, characters: text.length, pieces, ownMs, againMs };
    };
    try {
      const response = await fetchOk(`itinerary?days=${days.peek()}&rate=${RATE}`, { signal: stopped }, load);
      for await (const { data } of decoder.events<{ delta: string }>(response, { end: '[DONE]', signal: stopped })) {
        const begun = performance.now();
        partial.push(data.delta);
        void partial.value;
        const middle = performance.now();
        text += data.delta;
        parseAgain(text);
        pieces += 1;
        ownMs += middle - begun;
        againMs += performance.now() - middle;
        request ||= requestAnimationFrame(show);
      }
      partial.finish();
      show();
      state.value = { ...state.peek(), phase: 'done' };
    } catch (error) {
      // A newer start has taken over.
      if (stopping.signal !== stopped) return;
      state.value = { ...state.peek(), ...(stopped.aborted ? { phase: 'stopped' } : { phase: 'failed', error }) };
    } finally {
      cancelAnimationFrame(request);
    }
  }

  return { days, state, start, stop: () => stopping.abort() };
}

/** Parses the text so far, which the parser reads to its end before it misses the rest: the least that parsing again costs. */
function parseAgain(text: string): void {
  try {
    JSON.parse(text);
  } catch {
    // Incomplete.
  }
}
