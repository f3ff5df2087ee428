/** Bytes that are held after a forced collection, on the heap and in buffers: in Node, or in a page of Chromium. */
export async function heldBytes(): Promise<number> {
  return await ('document' in globalThis ? inPage() : inNode());
}

let collect: (() => void) | undefined;

async function inNode(): Promise<number> {
  const [{ setFlagsFromString }, { runInNewContext }] = await Promise.all([import('node:v8'), import('node:vm')]);
  if (!collect) {
    setFlagsFromString('--expose-gc');
    collect = runInNewContext('gc') as () => void;
  }
  // The second collection frees what finalizers hold.
  for (let time = 0; time < 2; time += 1) {
    await new Promise((resolve) => void setImmediate(resolve));
    collect();
  }
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

async function inPage(): Promise<number> {
  const { cdp } = await import('vitest/browser');
  const session = cdp() as unknown as Session;
  for (let time = 0; time < 2; time += 1) await session.send('HeapProfiler.collectGarbage');
  const { usedSize, backingStorageSize } = await session.send('Runtime.getHeapUsage');
  return usedSize + backingStorageSize;
}

/** The part of Chromium’s protocol that is used. */
interface Session {
  send(method: 'HeapProfiler.collectGarbage'): Promise<void>;
  send(method: 'Runtime.getHeapUsage'): Promise<{ usedSize: number; backingStorageSize: number }>;
}
