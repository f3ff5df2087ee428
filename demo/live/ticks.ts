import { signal, type ReadonlySignal, type Signal } from '@preact/signals';
import type { Decoder, MessageCounts } from 'unspool';
import { WorkerSocket } from 'unspool/socket';
import type { Choice } from '../payloads/catalogue.ts';
import { pick } from '../race/settings.ts';

/** A tick, as `demo/server/data/ticks.mjs` sends it. Prices are in hundredths. */
export interface Tick {
  readonly symbol: string;
  readonly price: number;
  readonly change: number;
  readonly volume: number;
}

/** Ticks a second. */
export type Rate = '100' | '1000' | '5000';
/** The thread of the socket. */
export type Place = 'worker' | 'page';

export const RATES: readonly Choice<Rate>[] = [
  { value: '100', label: '100', note: 'Two a frame.' },
  { value: '1000', label: '1,000', note: 'Sixteen a frame.' },
  { value: '5000', label: '5,000', note: 'Receiving them one by one would take a page a third of its time.' },
];

export const PLACES: readonly Choice<Place>[] = [
  { value: 'worker', label: 'In a worker', note: 'Prices that are replaced before the next frame never reach the page.' },
  { value: 'page', label: 'On the page', note: 'The page receives each message, and decodes each to read its symbol.' },
];

export interface TickSettings {
  readonly rate: Signal<Rate>;
  readonly place: Signal<Place>;
}

/** State of the ticks. */
export interface TickState {
  readonly phase: 'idle' | 'running' | 'stopped' | 'failed';
  /** The latest tick of each symbol, by symbol. */
  readonly rows: readonly Tick[];
  /** Messages received, shown and dropped in the last half second, by the second. */
  readonly received: number;
  readonly shown: number;
  readonly dropped: number;
  readonly error: unknown;
}

export interface Ticks {
  readonly settings: TickSettings;
  readonly state: ReadonlySignal<TickState>;
  start(): Promise<void>;
  stop(): void;
}

const IDLE: TickState = { phase: 'idle', rows: [], received: 0, shown: 0, dropped: 0, error: undefined };
/** Milliseconds between two updates of the rates. */
const RATES_MS = 500;

/** Takes the initial settings from the address of the page: `?rate=5000&place=page`. */
export function createTickSettings(query = new URLSearchParams()): TickSettings {
  return { rate: signal(pick(RATES, query.get('rate'), '1000')), place: signal(pick(PLACES, query.get('place'), 'worker')) };
}

/** Shows the latest tick of each symbol, once a frame. */
export function createTicks(settings: TickSettings, decoder: Decoder): Ticks {
  const state = signal<TickState>(IDLE);
  let stop = (): void => {};

  async function start(): Promise<void> {
    stop();
    const url = new URL(`ticks?rate=${settings.rate.peek()}`, document.baseURI);
    url.protocol = url.protocol.replace('http', 'ws');
    const socket = settings.place.peek() === 'worker' ? new WorkerSocket(url) : new WebSocket(url);
    let isStopped = false;
    stop = () => {
      isStopped = true;
      socket.close();
    };
    const counts: MessageCounts = { received: 0, dropped: 0, waiting: 0 };
    const latest = new Map<string, Tick>();
    let shown = 0;
    let before = { at: performance.now(), received: 0, dropped: 0, shown: 0 };
    state.value = { ...IDLE, phase: 'running' };
    try {
      const messages = decoder.messages<Tick>(socket, { format: 'messagepack', policy: 'latest', key: 'symbol', batch: true, counts });
      for await (const ticks of messages) {
        if (isStopped) break;
        for (const tick of ticks) latest.set(tick.symbol, tick);
        shown += ticks.length;
        const rows = [...latest.values()].toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1));
        const now = { at: performance.now(), received: counts.received, dropped: counts.dropped, shown };
        const seconds = (now.at - before.at) / 1_000;
        if (now.at - before.at < RATES_MS) state.value = { ...state.peek(), rows };
        else {
          const rate = (name: 'received' | 'dropped' | 'shown'): number => (now[name] - before[name]) / seconds;
          state.value = { ...state.peek(), rows, received: rate('received'), dropped: rate('dropped'), shown: rate('shown') };
          before = now;
        }
      }
      if (!isStopped) state.value = { ...state.peek(), phase: 'stopped' };
    } catch (error) {
      if (!isStopped) state.value = { ...state.peek(), phase: 'failed', error };
    } finally {
      socket.close();
    }
  }

  return {
    settings,
    state,
    start,
    stop: () => {
      stop();
      state.value = { ...state.peek(), phase: 'stopped' };
    },
  };
}
