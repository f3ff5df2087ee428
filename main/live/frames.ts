/** Milliseconds that stand for a frame in a worker and in Node, which draw none. */
const FRAME_MS = 16;
/** Milliseconds after which work goes on although no frame is drawn: a hidden page draws none. */
const HIDDEN_MS = 100;

/** Resolves before the next frame, or soon after if none is drawn. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestAnimationFrame !== 'function') {
      setTimeout(resolve, FRAME_MS);
      return;
    }
    const done = (): void => {
      clearTimeout(timer);
      cancelAnimationFrame(request);
      resolve();
    };
    const timer = setTimeout(done, HIDDEN_MS);
    const request = requestAnimationFrame(done);
  });
}
