import { signal, type ReadonlySignal } from '@preact/signals';
import type { AnswerParts, Decoder } from 'unspool';
import { fetchOk } from '../payloads/load-blob.ts';

/** State of the answer. */
export interface ToolsState {
  readonly phase: 'idle' | 'running' | 'done' | 'stopped' | 'failed';
  /** Number of times that the answer was played. */
  readonly plays: number;
  readonly answer: AnswerParts | undefined;
  /** Values that the page has drawn, at most one a frame. */
  readonly values: number;
  readonly error: unknown;
}

export interface Tools {
  readonly state: ReadonlySignal<ToolsState>;
  start(): Promise<void>;
  stop(): void;
}

const IDLE: ToolsState = { phase: 'idle', plays: 0, answer: undefined, values: 0, error: undefined };

/**
 * Plays an answer that calls two tools, as `demo/server/data/answer.mjs` has it, with the parts of it so far. The address of the page
 * may say how fast: `?speed=10`.
 */
export function createTools(decoder: Decoder, query = new URLSearchParams(), load: typeof fetch = (...request) => fetch(...request)): Tools {
  const state = signal<ToolsState>(IDLE);
  const speed = /^\d+$/.exec(query.get('speed') ?? '')?.[0] ?? '1';
  let stopping = new AbortController();

  async function start(): Promise<void> {
    stopping.abort();
    stopping = new AbortController();
    const { signal: stopped } = stopping;
    state.value = { ...IDLE, phase: 'running', plays: state.peek().plays + 1 };
    try {
      const response = await fetchOk(`answer?speed=${speed}`, { signal: stopped }, load);
      for await (const answer of decoder.partial(response, { delta: 'openai', parts: true, signal: stopped })) {
        state.value = { ...state.peek(), answer, values: state.peek().values + 1 };
      }
      state.value = { ...state.peek(), phase: 'done' };
    } catch (error) {
      // A newer start has taken over.
      if (stopping.signal !== stopped) return;
      state.value = { ...state.peek(), ...(stopped.aborted ? { phase: 'stopped' } : { phase: 'failed', error }) };
    }
  }

  return { state, start, stop: () => stopping.abort() };
}
