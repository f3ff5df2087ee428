import type { Frame } from './frames.ts';

/** What was seen of the page while something ran. Times of frames count from `origin`. */
export interface Recording {
  frames: Frame[];
  /** The longest time in which the page could do nothing else, in milliseconds. */
  longestBlock: number;
  /** The page was in the background for a while, where browsers draw no frames and slow timers down. */
  wasHidden: boolean;
}

export interface Recorder {
  /** Starts to look for blocks; frames are recorded from the start. */
  watchBlocks(): void;
  /** Waits until a block that is under way has been seen, and stops looking. */
  blocksSeen(): Promise<void>;
  stop(origin: number): Recording;
}

/** Watches every frame that the page draws. */
export interface FrameMonitor {
  /** The frames of the last `KEPT_MS`. */
  readonly frames: readonly Frame[];
  /** Calls back after every frame until the returned function is called. */
  subscribe(listener: (now: number) => void): () => void;
  record(): Recorder;
  stop(): void;
}

export const KEPT_MS = 20_000;
/** Milliseconds after which browsers fire a timer that was set by a timer. */
const TIMER_STEP = 4;

/** Starts to watch. Frames come from requestAnimationFrame, blocks from a timer of 4 ms that fires too late. */
export function createFrameMonitor(): FrameMonitor {
  const frames: Frame[] = [];
  const listeners = new Set<(now: number) => void>();
  let request = requestAnimationFrame(first);
  let last = 0;

  function first(): void {
    last = performance.now();
    request = requestAnimationFrame(next);
  }

  function next(): void {
    const now = performance.now();
    frames.push({ start: last, duration: now - last });
    last = now;
    forget(frames, now - KEPT_MS);
    for (const listener of listeners) listener(now);
    request = requestAnimationFrame(next);
  }

  return {
    frames,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    record: () =>
      createRecorder((listener) => {
        const add = (): void => listener(frames.at(-1)!);
        listeners.add(add);
        return () => listeners.delete(add);
      }),
    stop() {
      cancelAnimationFrame(request);
      listeners.clear();
    },
  };
}

/** Drops what ended before `time`, in pieces, so that most frames move nothing. */
function forget(frames: Frame[], time: number): void {
  if (frames.length < 512 || frames[256]!.start > time) return;
  frames.splice(0, 256);
}

function createRecorder(onFrame: (listener: (frame: Frame) => void) => () => void): Recorder {
  const frames: Frame[] = [];
  const ignoreFrames = onFrame((frame) => frames.push(frame));
  let longestBlock = 0;
  let wasHidden = document.hidden;
  let lastTick = 0;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isWatching = false;
  let seen: (() => void) | undefined;

  const tick = (): void => {
    const now = performance.now();
    longestBlock = Math.max(longestBlock, now - lastTick - TIMER_STEP);
    lastTick = now;
    if (seen) seen();
    else timer = setTimeout(tick, TIMER_STEP);
  };
  const onVisibility = (): void => {
    wasHidden ||= document.hidden;
  };
  document.addEventListener('visibilitychange', onVisibility);

  return {
    watchBlocks() {
      isWatching = true;
      lastTick = performance.now();
      timer = setTimeout(tick, TIMER_STEP);
    },
    blocksSeen: () =>
      new Promise((resolve) => {
        if (isWatching) seen = resolve;
        else resolve();
      }),
    stop(origin) {
      clearTimeout(timer);
      ignoreFrames();
      document.removeEventListener('visibilitychange', onVisibility);
      return { frames: frames.map(({ start, duration }) => ({ start: start - origin, duration })), longestBlock, wasHidden };
    },
  };
}

/** Resolves after the next frame was drawn, or soon where the page draws none. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 200);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      // A task after the frame's callbacks: what they changed is on the screen by then.
      setTimeout(resolve);
    });
  });
}
