const counts = new Intl.NumberFormat('en');

export function formatCount(count: number): string {
  return counts.format(count);
}

/** `8.4 ms`, `640 ms`, `2,310 ms`: whole milliseconds from ten on. */
export function formatMs(ms: number): string {
  return `${ms < 10 ? ms.toFixed(1) : counts.format(Math.round(ms))} ms`;
}

/** Decimal units, as usual for downloads: `940 B`, `12.4 kB`, `276 MB`. */
export function formatBytes(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const [size, unit] = bytes < 1_000_000 ? [bytes / 1_000, 'kB'] : [bytes / 1_000_000, 'MB'];
  return `${size < 100 ? size.toFixed(1) : Math.round(size)} ${unit}`;
}

/** `0.28 ×`, `1.4 ×`, `12 ×`. */
export function formatRatio(ratio: number): string {
  if (!Number.isFinite(ratio)) return '–';
  const digits = ratio < 0.01 ? 3 : ratio < 1 ? 2 : ratio < 10 ? 1 : 0;
  return `${ratio.toFixed(digits)} ×`;
}

export function formatPercent(fraction: number): string {
  return `${Math.floor(fraction * 100)} %`;
}
