/** Answers of language models in each engine: every cut, errors and aborts in the middle, and renders of React. */
import { createElement } from 'react';
import { createRoot } from 'react-dom/client';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { AnswerView } from '../../../../docs/examples/34-react-answer/index.ts';
import { nextTask } from '../../../../core/platform/platform.ts';
import { type AnswerCall, type AnswerParts, type AnswerService, createDecoder } from '../../../../main/index.ts';
import { notPrefix } from '../../../setup/values/prefix.ts';
import { checkParts, checkValues } from '../../../unit/main/live/answer/check-cuts.ts';
import { answered, PARTS, SERVICES, VALUE } from '../../../unit/main/live/answer/fixtures.ts';

const decoder = createDecoder();
afterAll(() => decoder.close());

async function recorded(service: AnswerService, kind: string): Promise<Uint8Array<ArrayBuffer>> {
  const response = await fetch(`/tests/fixtures/answers/${service}-${kind}.sse`);
  expect(response.ok).toBe(true);
  return new Uint8Array(await response.arrayBuffer());
}

describe.each(SERVICES)('an answer of %s', (service) => {
  test('is a beginning of its value at every cut', async () => {
    await checkValues(service, await recorded(service, 'value'));
  });

  test('has parts that are a beginning of the whole ones at every cut, and that never change', async () => {
    await checkParts(service, await recorded(service, 'calls'));
  });

  test('ends with the value and the parts of the official client', async () => {
    let value: unknown;
    for await (const next of decoder.partial(answered(await recorded(service, 'value')), { delta: service })) value = next;
    expect(value).toEqual(VALUE);
    let parts: AnswerParts | undefined;
    for await (const next of decoder.partial(answered(await recorded(service, 'calls')), { delta: service, parts: true })) parts = next;
    expect(parts).toEqual(PARTS[service]);
  });

  test('gives what came before an error of the service, then that error', async () => {
    let last: unknown;
    const reading = (async () => {
      for await (const next of decoder.partial(answered(await recorded(service, 'error')), { delta: service })) last = next;
    })();
    await expect(reading).rejects.toMatchObject({ name: 'ServiceError', code: expect.any(String) as string });
    expect(last).toBeTypeOf('object');
    expect(notPrefix(last, VALUE)).toBeUndefined();
  });

  test('ends with the reason of an abort in the middle, and cancels the response', async () => {
    const bytes = await recorded(service, 'calls');
    const stop = new AbortController();
    let reason: unknown;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => controller.enqueue(bytes.subarray(0, bytes.length >> 1)),
      cancel: (why) => void (reason = why),
    });
    const parts = decoder.partial(answered(body), { delta: service, parts: true, signal: stop.signal });
    expect((await parts.next()).value).toMatchObject({ stop: undefined });
    const next = parts.next();
    stop.abort(new Error('enough'));
    await expect(next).rejects.toThrow('enough');
    await expect.poll(() => reason).toEqual(new Error('enough'));
  });
});

describe('React', () => {
  /** Milliseconds after which a page that draws no frame gets the next value. */
  const HIDDEN_MS = 100;

  /** Shows an answer. Counts renders until its end, and the frames in which a value may be rendered. */
  async function show(body: BodyInit): Promise<{ frames: number; renders: number; calls: AnswerCall[]; text: string }> {
    const root = createRoot(document.body.appendChild(document.createElement('div')));
    onTestFinished(() => root.unmount());
    const calls: AnswerCall[] = [];
    let frames = 0;
    let renders = 0;
    const begun = performance.now();
    let request = requestAnimationFrame(function count() {
      frames += 1;
      request = requestAnimationFrame(count);
    });
    root.render(
      createElement(AnswerView, {
        request: load,
        onRender: () => void (renders += 1),
        onCall: (call) => void calls.push(call),
      }),
    );
    async function load(): Promise<Response> {
      return answered(body);
    }
    const last = PARTS.openai.calls.at(-1)!;
    await expect.poll(() => document.body.lastElementChild!.textContent).toContain(`${last.name} ${JSON.stringify(last.arguments)}`);
    await expect.poll(() => document.body.lastElementChild!.textContent).not.toContain('…');
    cancelAnimationFrame(request);
    frames += (performance.now() - begun) / HIDDEN_MS;
    return { frames, renders, calls, text: document.body.lastElementChild!.textContent };
  }

  test('renders an answer that is there at once a constant number of times', async () => {
    const { renders, text } = await show(await recorded('openai', 'calls'));
    // Before the answer, with the first value, and at the end.
    expect(renders).toBeLessThanOrEqual(3);
    expect(text).toContain(PARTS.openai.text);
  });

  test('renders an answer that arrives in many pieces at most once a frame, and each finished call once', async () => {
    const bytes = await recorded('openai', 'calls');
    let at = 0;
    const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
      async pull(controller) {
        if (at === bytes.length) return controller.close();
        await nextTask();
        controller.enqueue(bytes.subarray(at, (at += Math.min(7, bytes.length - at))));
      },
    });
    const { frames, renders, calls } = await show(body);
    expect(bytes.length / 7).toBeGreaterThan(500);
    // Before the answer, the first value and the last one need no frame.
    expect(renders).toBeLessThanOrEqual(frames + 3);
    const finished = calls.filter(({ complete }) => complete);
    expect(finished).toEqual(PARTS.openai.calls);
    for (const { id } of finished) expect(calls.filter((call) => call.id === id).length).toBeLessThan(renders);
  });
});
