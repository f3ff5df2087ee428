/**
 * What takes longer, in milliseconds, hangs: so much that a busy machine makes no difference. Attacks on a decoder take
 * quadratic time, or forever, where nothing stops them.
 */
export const HANG_MS = 20_000;
