/** A tick that waited longer than this met a busy thread; an idle one handles a tick within about 0.05 ms. */
export const BUSY_MS = 0.15;

/**
 * What ticks tell of the thread that handled them.
 *
 * A tick that was sent at `s` and handled at `h` shows the thread busy from `s` to `h`. The block began at some time
 * between the tick before and `s`; the earlier is taken, so that a block is never reported shorter than it was, and at
 * most one period (1 ms) longer. The busy time is sampled: each tick that had to wait stands for the time since the tick
 * before it was sent.
 *
 * @param {ArrayLike<number>} sent times of sending, ascending
 * @param {ArrayLike<number>} handled times of handling, ascending
 * @param {number} from
 * @param {number} to
 * @returns {{ longestBlockMs: number, mainMs: number, ticks: number }}
 */
export function analyse(sent, handled, from, to) {
  const offset = clockOffset(sent, handled);
  let longestBlockMs = 0;
  let mainMs = 0;
  let ticks = 0;
  for (let index = 1; index < sent.length; index += 1) {
    const sentAt = sent[index] + offset;
    if (sentAt < from || sentAt - period(sent, index) > to) continue;
    ticks += 1;
    const handledAt = handled[index];
    if (handledAt - sentAt <= BUSY_MS) continue;
    const before = Math.max(sentAt - period(sent, index), from);
    mainMs += Math.max(0, Math.min(sentAt, to) - before);
    const earliest = Math.max(handled[index - 1], before);
    longestBlockMs = Math.max(longestBlockMs, handledAt - earliest);
  }
  return { longestBlockMs, mainMs, ticks };
}

/** @param {ArrayLike<number>} sent @param {number} index */
function period(sent, index) {
  return sent[index] - sent[index - 1];
}

/**
 * The clocks of two threads may differ by a constant. No tick is handled before it is sent, and one that is handled at
 * once takes next to nothing: the shortest delay is the difference.
 *
 * @param {ArrayLike<number>} sent
 * @param {ArrayLike<number>} handled
 */
function clockOffset(sent, handled) {
  let shortest = Infinity;
  for (let index = 0; index < sent.length; index += 1) {
    shortest = Math.min(shortest, handled[index] - sent[index]);
  }
  return shortest === Infinity ? 0 : shortest;
}
