import { useEffect } from 'preact/hooks';
import type { Panel } from '../panel.ts';

/** Reads the new messages of the selected stream again and again. A long log takes long to read, so it is read less often. */
export function useNewMessages(panel: Panel): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isDisposed = false;
    const refresh = async (): Promise<void> => {
      const start = performance.now();
      await panel.selection.refreshMessages();
      if (!isDisposed) timer = setTimeout(() => void refresh(), Math.max(1_000, (performance.now() - start) * 10));
    };
    timer = setTimeout(() => void refresh(), 1_000);
    return () => {
      isDisposed = true;
      clearTimeout(timer);
    };
  }, [panel]);
}
