import type { LibraryState } from './adapter.ts';

/**
 * An expression that asks the library on the page for reports of every decode from now on, and whose value is what it has
 * until now, as text.
 */
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

/** State of the library as the page reports it. Undefined if the page does not use the library, or reports something else. */
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

/** Numbers and words of a report, as the panel shows them. */
function isReport({ error, ...report }: LibraryState['decodes'][number]): boolean {
  const isError = error === undefined || error === null || (typeof error.name === 'string' && typeof error.message === 'string');
  return isError && typeof report.startTime === 'number' && Object.values(report).every((value) => value === null || typeof value !== 'object');
}

/** The bytes of schemas, which the text has as numbers. */
function reviveBytes(_: string, value: unknown): unknown {
  const { $bytes } = (value ?? {}) as { $bytes?: unknown };
  return Array.isArray($bytes) ? Uint8Array.from($bytes as number[]) : value;
}
