/** What waited longer than this met a busy thread. An idle one comes to a message or a tick within about 0.05 ms. */
export const BUSY_MS = 0.15;

/**
 * The longest time that the main thread did not come to an urgent task.
 *
 * A tick that was due at `due` and ran at `ran` shows the thread busy in between. The block began at some time after the
 * tick before; the earliest is taken, so that a block is never reported shorter than it was, and at most one period
 * (1 ms) longer.
 *
 * @param {{ due: ArrayLike<number>, ran: ArrayLike<number> }} ticks ascending
 * @param {number} from
 * @param {number} to
 */
export function longestBlock({ due, ran }, from, to) {
  let longest = 0;
  for (let index = 0; index < ran.length; index += 1) {
    const before = index === 0 ? from : Math.max(from, ran[index - 1]);
    if (ran[index] < from || before >= to || ran[index] - due[index] <= BUSY_MS) continue;
    longest = Math.max(longest, ran[index] - before);
  }
  return longest;
}

/**
 * How long the main thread was taken in all: the time up to each tick that came late, from the tick before. As of a block,
 * no time is left out, and for each at most one period (1 ms) too much is counted.
 *
 * @param {{ due: ArrayLike<number>, ran: ArrayLike<number> }} ticks ascending
 * @param {number} from
 * @param {number} to
 */
export function takenTime({ due, ran }, from, to) {
  let taken = 0;
  for (let index = 0; index < ran.length; index += 1) {
    const before = index === 0 ? from : Math.max(from, ran[index - 1]);
    if (ran[index] < from || before >= to || ran[index] - due[index] <= BUSY_MS) continue;
    taken += Math.min(ran[index], to) - before;
  }
  return taken;
}

/**
 * How long the main thread was busy in all, by sampling: each message that had to wait stands for the time since the
 * message before it was sent. And how long a message had to wait at most.
 *
 * @param {{ sent: ArrayLike<number>, handled: ArrayLike<number> }} messages ascending
 * @param {number} from
 * @param {number} to
 * @returns {{ mainMs: number, longestWaitMs: number }}
 */
export function busyTime({ sent, handled }, from, to) {
  const offset = clockOffset(sent, handled);
  let mainMs = 0;
  let longestWaitMs = 0;
  for (let index = 1; index < sent.length; index += 1) {
    const sentAt = sent[index] + offset;
    const before = Math.max(sent[index - 1] + offset, from);
    const wait = handled[index] - sentAt;
    if (sentAt < from || before > to || wait <= BUSY_MS) continue;
    mainMs += Math.max(0, Math.min(sentAt, to) - before);
    longestWaitMs = Math.max(longestWaitMs, wait);
  }
  return { mainMs, longestWaitMs };
}

/**
 * The clocks of two threads may differ by a constant. No message is handled before it is sent, and one that is handled at
 * once takes next to nothing: the shortest wait is the difference.
 *
 * @param {ArrayLike<number>} sent
 * @param {ArrayLike<number>} handled
 */
function clockOffset(sent, handled) {
  let shortest = Infinity;
  for (let index = 0; index < sent.length; index += 1) shortest = Math.min(shortest, handled[index] - sent[index]);
  return shortest === Infinity ? 0 : shortest;
}
