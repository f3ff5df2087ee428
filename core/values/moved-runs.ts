/** Consecutive items of a list that were consecutive in an earlier one. */
export interface MovedRun {
  readonly index: number;
  readonly from: number;
  readonly count: number;
}

/**
 * Runs of kept items outside of the sequence of runs that has the most items in their earlier order. `kept` has three numbers for
 * each run: the first index, the earlier first index, and the number of items.
 */
export function movedRuns(kept: readonly number[]): MovedRun[] {
  const runs: MovedRun[] = [];
  for (let at = 0; at < kept.length; at += 3) runs.push({ index: kept[at]!, from: kept[at + 1]!, count: kept[at + 2]! });
  runs.sort((a, b) => a.index - b.index);
  if (runs.every(({ from }, at) => at === 0 || from > runs[at - 1]!.from)) return [];
  // The best sequence that ends with each run, found by the ranks of the earlier indices in a Fenwick tree.
  const rank = new Map(runs.toSorted((a, b) => a.from - b.from).map((run, at) => [run, at + 1]));
  const tree = new Int32Array(runs.length + 1).fill(-1);
  const weight: number[] = [];
  const before: number[] = [];
  runs.forEach((run, at) => {
    let best = -1;
    for (let node = rank.get(run)! - 1; node > 0; node &= node - 1) best = heavier(tree[node]!, best);
    weight[at] = run.count + (best < 0 ? 0 : weight[best]!);
    before[at] = best;
    for (let node = rank.get(run)!; node < tree.length; node += node & -node) tree[node] = heavier(tree[node]!, at);
  });
  function heavier(a: number, b: number): number {
    return a >= 0 && (b < 0 || weight[a]! > weight[b]!) ? a : b;
  }
  const inOrder = new Set<MovedRun>();
  let last = runs.reduce((best, _, at) => heavier(best, at), -1);
  for (; last >= 0; last = before[last]!) inOrder.add(runs[last]!);
  return runs.filter((run) => !inOrder.has(run));
}
