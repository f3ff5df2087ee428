/** Globals of the documentation's examples. */
import type { Decoder as UnspoolDecoder, DecoderResponse as UnspoolResponse } from 'unspool';
// The built types leave out its members. The compiled copy of this file lies as deep.
import type { Format as FormatOf } from '../../../core/formats/format.ts';

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

  /** The application's user interface. */
  let total: number;
  const table: { draw(rows: number): void; show(trips: object): void };
  function show(batch: unknown[]): void;
  function draw(rows: object, added: number): void;
  function render(trips: Iterable<Trip>): void;
  function showMessage(text: string): void;
}
