import type { LibraryState } from './adapter.ts';

/** Expression that reads the state of the library on the page as JSON, and makes it report every decode from now on. */
export const READ_LIBRARY = `(() => {
  const found = globalThis[Symbol.for('unspool')];
  if (!found) return '';
  found.everything = true;
  return JSON.stringify({
    origin: location.origin,
    decodes: found.decodes,
    schemas: found.schemas.map(({ name, format, schema }) => ({ name, format, schema })),
    bodies: [...found.bodies.keys()],
    timeOrigin: performance.timeOrigin,
  }, (key, value) => typeof value === 'bigint' ? String(value)
    : value instanceof ArrayBuffer ? { $bytes: Array.from(new Uint8Array(value)) }
    : ArrayBuffer.isView(value) ? { $bytes: Array.from(new Uint8Array(value.buffer, value.byteOffset, value.byteLength)) } : value);
})()`;

/** Parses the page's state of the library. Undefined if the page does not use it, or reports something else. */
export function libraryStateOf(text: unknown): LibraryState | undefined {
  if (typeof text !== 'string' || text === '') return undefined;
  try {
    const state = JSON.parse(text, reviveBytes) as LibraryState;
    const { origin, decodes, schemas, bodies, timeOrigin } = state;
    if (typeof origin !== 'string' || typeof timeOrigin !== 'number' || !Array.isArray(bodies)) return undefined;
    const isWhole = decodes.every(isReport) && schemas.every(({ name, format }) => typeof name === 'string' && typeof format === 'string');
    return isWhole ? state : undefined;
  } catch {
    return undefined;
  }
}

/** True if a report holds scalars only, as the panel displays them. */
function isReport({ error, ...report }: LibraryState['decodes'][number]): boolean {
  const isError = error === undefined || error === null || (typeof error.name === 'string' && typeof error.message === 'string');
  return isError && typeof report.startTime === 'number' && Object.values(report).every((value) => value === null || typeof value !== 'object');
}

/** Restores the bytes of schemas, which the JSON lists as numbers. */
function reviveBytes(_: string, value: unknown): unknown {
  const { $bytes } = (value ?? {}) as { $bytes?: unknown };
  return Array.isArray($bytes) ? Uint8Array.from($bytes as number[]) : value;
}
