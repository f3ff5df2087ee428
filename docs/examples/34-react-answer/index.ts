import { createElement, memo, type ReactNode, useEffect, useState } from 'react';
import { type AnswerCall, type AnswerParts, createDecoder } from 'unspool';

const decoder = createDecoder();

/** The parts of an answer so far, which change at most once a frame, and the error that has ended it. Ends the request with the component. */
export function useAnswer(request: (signal: AbortSignal) => Promise<Response>): { answer?: AnswerParts; error?: unknown } {
  const [state, setState] = useState<{ answer?: AnswerParts; error?: unknown }>({});
  useEffect(() => {
    const stop = new AbortController();
    const { signal } = stop;
    void (async () => {
      try {
        for await (const answer of decoder.partial(await request(signal), { delta: 'openai', parts: true, signal })) setState({ answer });
      } catch (error) {
        if (!signal.aborted) setState((before) => ({ ...before, error }));
      }
    })();
    return () => stop.abort();
  }, [request]);
  return state;
}

/** A call of a tool. A finished call is the same object in every answer, and is not rendered again. */
const CallView = memo(function CallView({ call, onRender }: { call: AnswerCall; onRender?: ((call: AnswerCall) => void) | undefined }): ReactNode {
  onRender?.(call);
  return createElement('li', null, `${call.name} ${JSON.stringify(call.arguments)}${call.complete ? '' : ' …'}`);
});

/** Shows an answer while it arrives. */
export function AnswerView({
  request,
  onRender,
  onCall,
}: {
  request: (signal: AbortSignal) => Promise<Response>;
  onRender?: () => void;
  onCall?: (call: AnswerCall) => void;
}): ReactNode {
  const { answer, error } = useAnswer(request);
  onRender?.();
  const calls = answer?.calls.map((call, at) => createElement(CallView, { key: call.id ?? at, call, onRender: onCall }));
  return createElement(
    'section',
    null,
    createElement('p', null, answer?.text),
    createElement('ul', null, calls),
    error instanceof Error ? error.message : null,
  );
}
