import { locateError } from '../../../core/format/decode-session.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { fullRevive } from '../../../core/reading/format-revive.ts';
import { PartialValue } from '../../../core/sinks/partial/partial-value.ts';
import { openAnswer } from '../../../main/live/answer/open-answer.ts';
import type { AnswerParts } from '../../../main/live/answer/parts.ts';
import type { MergedEvents } from '../protocol.ts';
import { type MergeKind, objectIn } from './merge-kind.ts';
import { PatchedResult } from './patched-result.ts';

/** Merges the texts of events. The result contains the errors that events report. */
export async function mergeEvents(kind: MergeKind, events: readonly string[]): Promise<MergedEvents> {
  if (kind !== 'graphql') return mergedAnswer(kind, events);
  const result = new PatchedResult();
  for (const event of events) {
    const payload = objectIn(event);
    if (payload) result.take(payload);
  }
  return {
    text: JSON.stringify(result.value, undefined, 2),
    isJson: true,
    reasoning: '',
    calls: [],
    end: result.isComplete ? 'complete' : '',
    problem: '',
  };
}

async function* noChunks(): AsyncGenerator<string, void> {}

/** Parts of an answer, as `Decoder.partial` gives them. */
async function mergedAnswer(kind: Exclude<MergeKind, 'graphql'>, events: readonly string[]): Promise<MergedEvents> {
  const format = await loadFormat('json');
  const limits = resolveLimits();
  const make = (): PartialValue =>
    new PartialValue({
      format,
      options: {},
      limits,
      revive: fullRevive(format, undefined),
      locate: locateError,
      growingNumbers: false,
      prose: false,
    });
  const { value, delta } = (await openAnswer({}, noChunks(), kind, true))(make, limits.stringLength);
  let problem = '';
  try {
    for (const data of events) {
      const text = delta!({ data, event: 'message', id: '' } as never);
      if (text) value.push(text);
    }
  } catch (error) {
    problem = (error as Error).message;
  }
  const { text = '', refusal = '', reasoning = '', calls = [], stop = '' } = (value.value() as AnswerParts | undefined) ?? {};
  return {
    text: text + refusal,
    isJson: false,
    reasoning,
    calls: calls.map(({ name, arguments: given }) => `${name}(${typeof given === 'string' ? given : (JSON.stringify(given, undefined, 2) ?? '')})`),
    end: stop,
    problem,
  };
}
