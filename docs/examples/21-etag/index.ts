import { createDecoder } from 'unspool';

const decoder = createDecoder();

/** A value and the version that the server gave it. */
export interface Versioned<T> {
  readonly value: T;
  readonly etag: string | null;
}

/**
 * Loads a resource again. A server that knows entity tags answers 304 without a body if nothing has changed: then the value is
 * the one of before. Otherwise it is made from the one of before.
 */
export async function refetch<T>(url: string, before?: Versioned<T>): Promise<Versioned<T>> {
  const headers: HeadersInit = before?.etag ? { 'If-None-Match': before.etag } : {};
  const response = await decoder.fetch(url, { headers });
  if (!response.ok && response.status !== 304) throw new Error(`${url}: ${response.status}`);
  const value = await response.json<T>({ previous: before?.value });
  return { value, etag: response.headers.get('etag') ?? before?.etag ?? null };
}
