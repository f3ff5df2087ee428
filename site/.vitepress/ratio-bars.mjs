/** A ratio as tables of benchmarks have it: `0.95 ×`, or `0.93` or `0.93–1.18` in a column of ratios. */
const RATIO = /^(\d+(?:\.\d+)?)(?:–(\d+(?:\.\d+)?))?( ×)?$/;

/** Headings of columns whose cells are ratios. */
const OF_RATIOS = /[÷×]/;

/** Largest ratio that is drawn; the bars of larger ones end here. */
const MOST = 3;

/**
 * The range of a cell's bar, as shares of the cell; undefined for a cell that has no ratio.
 *
 * @param {string} cell
 * @param {string} heading
 * @returns {{ from: number, to: number } | undefined}
 */
export function barOf(cell, heading) {
  const [, low, high, sign] = RATIO.exec(cell.replaceAll('*', '').trim()) ?? [];
  if (low === undefined || !(sign || OF_RATIOS.test(heading))) return undefined;
  const share = (ratio) => Math.min(Number(ratio), MOST) / MOST;
  return high === undefined ? { from: 0, to: share(low) } : { from: share(low), to: share(high) };
}

/** Draws a bar under each ratio of a table, which `style.css` shows; a line marks the time that is 1. */
export function ratioBars(md) {
  md.core.ruler.push('ratio-bars', ({ tokens }) => {
    let headings = [];
    let column = 0;
    for (const [at, token] of tokens.entries()) {
      const content = () => tokens[at + 1].content;
      if (token.type === 'table_open') headings = [];
      else if (token.type === 'tr_open') column = 0;
      else if (token.type === 'th_open') headings.push(content());
      else if (token.type === 'td_open') {
        const bar = barOf(content(), headings[column++] ?? '');
        if (!bar) continue;
        token.attrJoin('class', 'ratio');
        token.attrSet('style', [token.attrGet('style'), `--from:${bar.from.toFixed(3)}`, `--to:${bar.to.toFixed(3)}`].filter(Boolean).join(';'));
      }
    }
  });
}
