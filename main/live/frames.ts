/** Milliseconds that stand for a frame in a worker and in Node, which draw none. */
const FRAME_MS = 16;
/** Milliseconds after which work goes on although no frame is drawn: a hidden page draws none. */
const HIDDEN_MS = 100;

/**
 * Resolves before the next frame, or soon after if none is drawn; a browser may delay the timers of a hidden page by up to a minute.
 * `sooner` gets a function that ends the wait at once.
 */
export function nextFrame(sooner: (go: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    const isDrawn = typeof requestAnimationFrame === 'function';
    const done = (): void => {
      clearTimeout(timer);
      if (isDrawn) cancelAnimationFrame(request);
      resolve();
    };
    const timer = setTimeout(done, isDrawn ? HIDDEN_MS : FRAME_MS);
    const request = isDrawn ? requestAnimationFrame(done) : 0;
    sooner(done);
  });
}
