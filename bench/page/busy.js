/** Longer waits of a message or a tick mean a busy thread. An idle thread takes about 0.05 ms. */
const BUSY_MS = 0.15;

/**
 * The longest time in which no task of input priority ran.
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
 * Total time before late ticks, each counted from the previous tick: like a block, at most one period (1 ms) too long each.
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
 * Total busy time of the main thread by sampling, and the longest wait of a message: each message that waited stands for
 * the time since the previous one was sent.
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
 * The clocks of two threads may differ by a constant, which is the shortest wait: a message on an idle thread takes next
 * to no time.
 *
 * @param {ArrayLike<number>} sent
 * @param {ArrayLike<number>} handled
 */
function clockOffset(sent, handled) {
  let shortest = Infinity;
  for (let index = 0; index < sent.length; index += 1) shortest = Math.min(shortest, handled[index] - sent[index]);
  return shortest === Infinity ? 0 : shortest;
}
