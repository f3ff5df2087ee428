import { Packr } from 'msgpackr';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Registry } from '../../../../main/call/observe.ts';
import type { DecodeReport } from '../../../../main/index.ts';
import { hurryClock } from '../../../setup/stand-ins/clock.ts';
import { makeRows, openDecoder, openWorkerDecoder, pack } from './support.ts';

const rows = makeRows(3_000);
const packed = pack(rows);
const registry = (): Registry => (globalThis as never)[Symbol.for('unspool')];

describe('the decode event', () => {
  test('describes a decode in a worker with its times', async () => {
    const decoder = openWorkerDecoder();
    const reports: DecodeReport[] = [];
    decoder.addEventListener('decode', ({ detail }) => reports.push(detail));
    hurryClock();
    const before = performance.now();
    await decoder.decode(new Response(packed), { label: 'the rows' });
    const [report] = reports;
    expect(report).toMatchObject({
      label: 'the rows',
      format: 'messagepack',
      as: 'objects',
      route: 'worker',
      bytes: packed.length,
      rows: 3_000,
      error: undefined,
    });
    expect(report!.startTime).toBeGreaterThanOrEqual(before);
    const { duration, readMs, queueMs, transferMs, decodeMs, materialiseMs, longestSliceMs } = report!;
    for (const time of [duration, materialiseMs, longestSliceMs]) expect(time).toBeGreaterThan(0);
    // The worker has its own clock.
    for (const time of [readMs, queueMs, transferMs, decodeMs]) expect(time).toBeGreaterThanOrEqual(0);
    expect(longestSliceMs).toBeLessThanOrEqual(materialiseMs);
    expect(materialiseMs).toBeLessThan(duration);
  });

  test.each(['objects', 'rows', 'columns'] as const)('counts all records of msgpackr as %s, including the defining one', async (as) => {
    const decoder = openWorkerDecoder();
    const counts: number[] = [];
    decoder.addEventListener('decode', ({ detail }) => counts.push(detail.rows));
    const bytes = Uint8Array.from(new Packr({ useRecords: true }).pack({ rows: makeRows(1_000) }));
    await decoder.decode(new Response(bytes), { as, format: 'messagepack' });
    expect(counts).toEqual([1_000]);
  });

  test('precedes the resolution of the call', async () => {
    const decoder = openDecoder();
    const seen: string[] = [];
    decoder.addEventListener('decode', ({ detail }) => seen.push(detail.route));
    await decoder.decode(packed, { route: 'worker' }).then(() => seen.push('done'));
    await decoder.decode(packed, { route: 'page' }).then(() => seen.push('done'));
    await decoder.decode(pack([1])).then(() => seen.push('done'));
    expect(seen).toEqual(['worker', 'done', 'page', 'done', 'page', 'done']);
  });

  test('reports failures', async () => {
    const decoder = openDecoder();
    const listener = vi.fn();
    decoder.addEventListener('decode', listener);
    await decoder.decode(packed.slice(0, -1)).catch(() => {});
    await decoder.decode(packed, { signal: AbortSignal.abort('enough') }).catch(() => {});
    expect(listener.mock.calls.map(([{ detail }]) => detail.error)).toEqual([
      { name: 'DecodeError', message: expect.stringMatching(/truncated|ends/) },
      { name: 'Error', message: 'enough' },
    ]);
    decoder.removeEventListener('decode', listener);
    await decoder.decode(packed);
    expect(listener).toHaveBeenCalledTimes(2);
  });
});

describe('performance.measure', () => {
  /** The measures of decodes during `run`, up to that with the label `last`. */
  async function measures(run: () => Promise<unknown>): Promise<PerformanceMeasure[]> {
    const entries: PerformanceEntry[] = [];
    const observer = new PerformanceObserver((list) => entries.push(...list.getEntries().filter(({ name }) => name.startsWith('decode '))));
    observer.observe({ type: 'measure' });
    await run();
    await openDecoder({ measure: true }).decode(pack([1]), { label: 'last' });
    await expect.poll(() => entries.at(-1)?.name).toBe('decode last');
    observer.disconnect();
    return entries.slice(0, -1) as PerformanceMeasure[];
  }

  test('marks decodes of workers in a separate track', async () => {
    const decoder = openDecoder();
    hurryClock();
    const entries = await measures(async () => {
      await decoder.decode(packed, { label: 'rows', route: 'worker' });
      await decoder.decode(pack([1]), { label: 'small' });
    });
    expect(entries).toHaveLength(1);
    expect(entries[0]!.name).toBe('decode rows');
    expect(entries[0]!.duration).toBeGreaterThan(0);
    expect(entries[0]!.detail).toMatchObject({
      report: { format: 'messagepack', rows: 3_000 },
      devtools: { dataType: 'track-entry', track: 'Unspool' },
    });
    // The page's list of measures does not grow.
    expect(performance.getEntriesByType('measure').filter(({ name }) => name.startsWith('decode '))).toEqual([]);
  });

  test('marks all decodes or none, depending on the option', async () => {
    const all = openDecoder({ measure: true });
    const none = openDecoder({ measure: false });
    expect(await measures(() => all.decode(pack([1])))).toHaveLength(1);
    expect(await measures(() => none.decode(packed))).toHaveLength(0);
  });
});

describe('the registry', () => {
  test('contains the decoders, their schemas, and the latest decodes', async () => {
    const decoder = openDecoder({ schemas: { trip: { format: 'jsbinary', schema: { a: 'int' } } } });
    const { version, decoders, schemas, decodes } = registry();
    expect(version).toBe(1);
    const [number] = [...decoders].find(([, reference]) => reference.deref() === decoder)!;
    expect(schemas).toContainEqual({ decoder: number, name: 'trip', format: 'jsbinary', schema: { a: 'int' } });
    await decoder.decode(packed, { label: 'large', route: 'worker' });
    expect(decodes.at(-1)).toMatchObject({ label: 'large', route: 'worker', bytes: packed.length, rows: 3_000 });
    await decoder.decode(pack([1]), { label: 'small' });
    await decoder.decode(pack([1]), { label: 'small' });
    expect(decodes.at(-1)!.label).toBe('large');
    await decoder.decode(new Uint8Array([0xc1, 0]), { label: 'bad', format: 'messagepack' }).catch(() => {});
    expect(decodes.at(-1)).toMatchObject({ label: 'bad', format: 'messagepack', error: { name: 'DecodeError' } });
    registry().everything = true;
    onTestFinished(() => void (registry().everything = false));
    await decoder.decode(pack([1]), { label: 'small' });
    expect(decodes.at(-1)).toMatchObject({ label: 'small', route: 'page', bytes: 2, rows: 1 });
    for (let call = 0; call < 1_000; call += 1) await decoder.decode(pack(call), { format: 'messagepack' });
    expect(decodes.length).toBeLessThanOrEqual(512);
    expect(decodes.at(-1)!.id).toBeGreaterThan(decodes.at(-2)!.id);
    decoder.close();
    expect(decoders.has(number)).toBe(false);
    expect(schemas.some((schema) => schema.decoder === number)).toBe(false);
  });

  test('keeps the bodies of large responses on request', async () => {
    const url = URL.createObjectURL(new Blob([pack(new Uint8Array(9_000_000))]));
    const { bodies } = registry();
    const keeping = openDecoder({ keepBodies: true });
    const ids: number[] = [];
    keeping.addEventListener('decode', ({ detail }) => ids.push(detail.id));
    await keeping.decode(await fetch(url));
    expect(bodies.get(ids[0]!)?.byteLength).toBeGreaterThan(8 * 1024 * 1024);
    for (let call = 0; call < 3; call += 1) await keeping.decode(await fetch(url));
    expect([...bodies.keys()]).toEqual(ids.slice(1));
    await openDecoder().decode(await fetch(url));
    expect(bodies.size).toBe(3);
    bodies.clear();
    URL.revokeObjectURL(url);
  });
});
