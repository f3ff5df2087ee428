import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';

/** Answer of the work that `run` starts; undefined until it is there, or if it fails. Other `inputs` stop the work, and start it anew. */
export function useAnswer<T>(run: (signal: AbortSignal) => Promise<T | undefined> | undefined, inputs: readonly unknown[]): T | undefined {
  const answer = useSignal<T | undefined>(undefined);
  useEffect(() => {
    const stop = new AbortController();
    answer.value = undefined;
    run(stop.signal)?.then(
      (value) => {
        if (!stop.signal.aborted) answer.value = value;
      },
      () => undefined,
    );
    return () => stop.abort();
  }, inputs);
  return answer.value;
}
