/** Globals of the documentation's examples. */
import type { Decoder as UnspoolDecoder, DecoderResponse as UnspoolResponse, Rows as UnspoolRows } from 'unspool';
import type { Format as FormatOf } from 'source/core/format/format.ts';

declare global {
  interface Trip {
    id: number;
    station: string;
    minutes: number;
    distance: number;
    member: boolean;
  }
  interface Trips {
    trips: Trip[];
  }
  const decoder: UnspoolDecoder;
  const buffer: ArrayBuffer;
  const response: UnspoolResponse;
  const trips: UnspoolRows<Trip>;
  // For the guide to adding a format.
  type Format<O, S> = FormatOf<O, S>;
  interface MyOptions {
    sequence?: boolean;
  }
  interface MySchema {
    name: string;
  }
  type MyFormat = Required<Format<MyOptions, MySchema>>;
  const MyReader: new (sink: unknown, limits: unknown, options: MyOptions, schema: MySchema | undefined) => ReturnType<MyFormat['createReader']>;
  const compileSchema: MyFormat['compileSchema'];
  const revive: MyFormat['revive'];

  /** A tracer of OpenTelemetry. */
  interface Span {
    recordException(error: { name: string; message: string }): void;
    setStatus(status: { code: number; message: string }): void;
    end(time: number): void;
  }
  const tracer: { startSpan(name: string, options: { startTime: number; attributes: object }): Span };

  /** The application's user interface. */
  let total: number;
  const table: { draw(rows: number): void; show(trips: object): void; update(batch: unknown[]): void };
  function show(value: unknown): void;
  function draw(rows: object, added: number): void;
  function render(trips: Iterable<Trip>): void;
  function report(error: unknown): void;
  /** Payloads of a language model and of a socket. */
  interface Recipe {
    title: string;
    steps: { text: string; minutes: number }[];
  }
  interface Delta {
    text: string;
  }
  interface Tick {
    symbol: string;
    price: number;
  }
  const socket: WebSocket;
  const body: string;
  const deltas: AsyncIterable<string>;
  function update(tick: Tick): void;
  function append(delta: Delta): void;
  function Step(properties: { step: { text?: string; minutes?: number } }): null;
  /** The application's database. */
  function loadTrips(): Trip[];
  function saveTrips(trips: unknown): Promise<{ saved: number }>;
  function showMessage(text: string): void;
  function showForm(id: string | undefined, name: string, value: unknown, complete: boolean): void;
}
