const grouped = new Intl.NumberFormat('en');

/** Formats an integer with separators. */
export function formatCount(value: number): string {
  return grouped.format(value);
}

/** Formats a number of things: `1 row`, `2 rows`. */
export function counted(count: number, noun: string): string {
  return `${formatCount(count)} ${noun}${count === 1 ? '' : 's'}`;
}

/** Formats a size with a suitable unit. */
export function formatBytes(bytes: number): string {
  if (bytes < 0) return '–';
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${(bytes / 1000).toFixed(bytes < 9_950 ? 1 : 0)} kB`;
  return `${(bytes / 1e6).toFixed(bytes < 9.95e6 ? 2 : 1)} MB`;
}

export function formatMilliseconds(value: number): string {
  if (value < 0.05) return '0 ms';
  return value < 10 ? `${value.toFixed(1)} ms` : value < 10_000 ? `${Math.round(value)} ms` : `${(value / 1000).toFixed(1)} s`;
}

const clock = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', second: '2-digit', fractionalSecondDigits: 3, hourCycle: 'h23' });

/** Formats milliseconds since the epoch as the local time of day. */
export function formatTime(milliseconds: number): string {
  return clock.format(milliseconds);
}

export function formatPercent(part: number): string {
  return part > 0 && part < 0.001 ? '< 0.1 %' : `${(part * 100).toFixed(1)} %`;
}

export function formatOffset(offset: number): string {
  return `0x${offset.toString(16).padStart(4, '0')}`;
}
