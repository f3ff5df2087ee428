import { signal, type Signal } from '@preact/signals';
import { DAMAGES, ENCODINGS, RESULT_KINDS, SIZES, type Choice, type Damage, type Encoding, type ResultKind } from '../payloads/catalogue.ts';

/** Settings of the race. */
export interface Settings {
  rows: Signal<number>;
  encoding: Signal<Encoding>;
  damage: Signal<Damage>;
  result: Signal<ResultKind>;
}

/** Takes the initial settings from the address of the page: `?rows=100000&encoding=json&payload=cut&result=objects`. */
export function createSettings(query = new URLSearchParams()): Settings {
  return {
    rows: signal(SIZES.find((size) => String(size) === query.get('rows')) ?? 100_000),
    encoding: signal(pick(ENCODINGS, query.get('encoding'), 'messagepack')),
    damage: signal(pick(DAMAGES, query.get('payload'), 'none')),
    result: signal(pick(RESULT_KINDS, query.get('result'), 'rows')),
  };
}

/** Returns `wanted` if it is one of the choices, otherwise `fallback`. */
export function pick<Value extends string>(choices: readonly Choice<Value>[], wanted: string | null, fallback: Value): Value {
  return choices.find(({ value }) => value === wanted)?.value ?? fallback;
}
