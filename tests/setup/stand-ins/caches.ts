/** An in-memory `CacheStorage` with the methods that the library uses. */
export function memoryCaches(): CacheStorage {
  const all = new Map<string, Map<string, Response>>();
  const addressOf = (request: RequestInfo | URL): string => (request instanceof Request ? request.url : String(request));
  const cacheOf = (entries: Map<string, Response>): Partial<Cache> => ({
    match: async (request) => entries.get(addressOf(request))?.clone(),
    put: async (request, response) => void entries.set(addressOf(request), response),
    keys: async () => Array.from(entries.keys(), (address) => new Request(address)),
  });
  return {
    open: async (name: string) => {
      if (!all.has(name)) all.set(name, new Map());
      return cacheOf(all.get(name)!) as Cache;
    },
    delete: async (name: string) => all.delete(name),
    keys: async () => [...all.keys()],
    has: async (name: string) => all.has(name),
    match: async (request, { cacheName } = {}) => {
      for (const [name, entries] of all) {
        const found = cacheName === undefined || name === cacheName ? entries.get(addressOf(request)) : undefined;
        if (found) return found.clone();
      }
      return undefined;
    },
  } satisfies CacheStorage;
}
