import { expect } from 'vitest';
import json from '../../../../../core/formats/json/index.ts';
import { locateError } from '../../../../../core/format/decode-session.ts';
import { resolveLimits } from '../../../../../core/limits.ts';
import { EventParser } from '../../../../../core/messages/event-parser.ts';
import { fullRevive } from '../../../../../core/reading/format-revive.ts';
import type { AnyFormat } from '../../../../../core/format/format.ts';
import { PartialValue } from '../../../../../core/sinks/partial/partial-value.ts';
import type { AnswerParts, AnswerService } from '../../../../../main/index.ts';
import { type Growing, openAnswer } from '../../../../../main/live/answer/open-answer.ts';
import { notKept, notPrefix } from '../../../../setup/values/prefix.ts';
import { PARTS, VALUE } from './fixtures.ts';

export const LIMITS = resolveLimits(undefined);

/** Returns a function that opens an answer of a service, without a response. */
export async function opener(service: AnswerService, parts: boolean): Promise<() => Growing> {
  const format = json as AnyFormat;
  const revive = fullRevive(format, undefined);
  const make = (): PartialValue =>
    new PartialValue({ format, options: {}, limits: LIMITS, revive, locate: locateError, growingNumbers: false, prose: false });
  const open = await openAnswer({}, (async function* () {})(), service, parts);
  return () => open(make, LIMITS.stringLength);
}

/** The values after each byte of a stream, without repeats. */
async function afterEachByte(service: AnswerService, bytes: Uint8Array, parts: boolean): Promise<unknown[]> {
  const { value, delta } = (await opener(service, parts))();
  const parser = new EventParser(LIMITS.stringLength);
  const values: unknown[] = [];
  for (let at = 0; at < bytes.length; at += 1) {
    for (const event of parser.read(bytes.subarray(at, at + 1))) value.push(delta!(event) ?? '');
    const next = value.value(Infinity);
    if (next !== undefined && next !== values.at(-1)) values.push(next);
  }
  value.finish();
  values.push(value.value(Infinity));
  return values;
}

/** Expects the value after each byte of a stream to be a beginning of the whole value, with finished parts that stay. */
export async function checkValues(service: AnswerService, bytes: Uint8Array): Promise<void> {
  const values = await afterEachByte(service, bytes, false);
  expect(values.length).toBeGreaterThan(8);
  expect(values.at(-1)).toEqual(VALUE);
  for (const [at, value] of values.entries()) {
    expect(notPrefix(value, VALUE)).toBeUndefined();
    expect(notKept(values[at - 1], value)).toBeUndefined();
  }
}

/** Expects the parts after each byte of a stream to be a beginning of the whole parts, and never to change. */
export async function checkParts(service: AnswerService, bytes: Uint8Array): Promise<void> {
  const values = (await afterEachByte(service, bytes, true)) as AnswerParts[];
  const whole = PARTS[service];
  expect(values.at(-1)).toEqual(whole);
  const texts = values.map((value) => JSON.stringify(value));
  for (const [at, { text, reasoning, refusal, calls, stop }] of values.entries()) {
    expect(whole.text.startsWith(text) && whole.reasoning.startsWith(reasoning) && refusal === '').toBe(true);
    expect([undefined, whole.stop]).toContain(stop);
    for (const [index, call] of calls.entries()) {
      const last = whole.calls[index]!;
      expect(call).toMatchObject({ id: last.id, name: last.name });
      if (call.arguments !== undefined) expect(notPrefix(call.arguments, last.arguments)).toBeUndefined();
      if (call.complete) for (const later of values.slice(at)) expect(later.calls[index]).toBe(call);
    }
  }
  expect(values.map((value) => JSON.stringify(value))).toEqual(texts);
}
