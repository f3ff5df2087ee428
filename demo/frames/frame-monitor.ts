import type { Frame } from './frames.ts';

/** Frames and blocks of the page during a run. Times of frames count from `origin`. */
export interface Recording {
  frames: Frame[];
  /** The longest time during which the page was blocked, in milliseconds. */
  longestBlock: number;
  /** True if the page was in the background, where browsers draw no frames and throttle timers. */
  wasHidden: boolean;
}

export interface Recorder {
  /** Starts to watch for blocks; frames are recorded from creation. */
  watchBlocks(): void;
  /** Waits until a current block has been recorded, then stops watching. */
  blocksSeen(): Promise<void>;
  stop(origin: number): Recording;
}

/** Watches every frame that the page draws. */
export interface FrameMonitor {
  /** Frames of the last `KEPT_MS`. */
  readonly frames: readonly Frame[];
  /** Calls back after every frame until the returned function is called. */
  subscribe(listener: (now: number) => void): () => void;
  record(): Recorder;
  stop(): void;
}

export const KEPT_MS = 20_000;
/** Least delay of nested timers in milliseconds. */
const TIMER_STEP = 4;

/** Starts to watch. Frames are counted by requestAnimationFrame, blocks by delays of a 4 ms timer. */
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

/** Drops frames before `time`, 256 at a time, so that most calls move nothing. */
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

/** Resolves after the next frame, or soon if the page draws none. */
export function nextFrame(): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, 200);
    requestAnimationFrame(() => {
      clearTimeout(timer);
      // A task after the frame's callbacks, when their changes are on the screen.
      setTimeout(resolve);
    });
  });
}

/** Resolves in another task, so that drawing does not extend the current one. */
export function nextTask(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
