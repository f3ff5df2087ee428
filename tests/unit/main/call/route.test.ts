import { describe, expect, test } from 'vitest';
import { newReport } from '../../../../main/call/observe.ts';
import { Router, type RouteQuestion } from '../../../../main/call/route.ts';

const MB = 1_000_000;
const MANY = 40;
const FLAT = { list: true, records: true, flat: true, regular: true };
const NESTED = { list: true, records: true, flat: false, regular: true };
const NO_RECORDS = { list: true, records: false, flat: false, regular: false };

/** A JSON payload with flat records, on a page whose worker is ready. */
const question: RouteQuestion = { route: 'auto', as: 'objects', format: 'json', bytes: 20 * MB, sample: FLAT, ready: true, startMs: 50 };

/** Router that has measured these speeds many times, in bytes per millisecond; for workers, the speed of a warm one. */
function routerOf(speeds: { page?: number; worker?: number }, { format = 'json', as = 'objects' }: Partial<RouteQuestion> = {}): Router {
  const router = new Router(true);
  const { page, worker } = speeds;
  const bytes = 100 * MB;
  const report = { ...newReport({ as }), format, bytes };
  for (let time = 0; page && time < MANY; time += 1) router.learn({ ...report, route: 'page', decodeMs: bytes / page });
  for (let time = 0; worker && time < MANY; time += 1) {
    const slow = [5, 2][time] ?? 1;
    router.learn({ ...report, route: 'worker', duration: (bytes * slow) / worker });
  }
  return router;
}

const routeOf = (router: Router, change: Partial<RouteQuestion> = {}): string => router.choose({ ...question, ...change }).route;

describe('router', () => {
  test("follows the caller's request", () => {
    const router = new Router(true);
    for (const route of ['page', 'worker'] as const) {
      expect(router.choose({ ...question, route, bytes: 1 })).toEqual({ route, why: 'asked for' });
    }
  });

  test('always chooses the page without workers', () => {
    expect(routeOf(new Router(false), { route: 'worker' })).toBe('page');
  });

  test('chooses the page for objects if records are nested, irregular or missing', () => {
    const router = routerOf({ page: 1, worker: 1e9 });
    for (const sample of [NESTED, { ...FLAT, regular: false }, NO_RECORDS, { ...NO_RECORDS, list: false }]) {
      expect(routeOf(router, { sample })).toBe('page');
    }
  });

  test('chooses a worker for objects in flat, regular records if it takes no longer than the page', () => {
    expect(routeOf(routerOf({ page: 250_000, worker: 400_000 }))).toBe('worker');
    expect(routeOf(routerOf({ page: 250_000, worker: 100_000 }))).toBe('page');
  });

  test('chooses a worker for rows, unless the page finishes before a worker could', () => {
    const router = routerOf({ page: 250_000, worker: 250_000 }, { as: 'rows' });
    expect(routeOf(router, { as: 'rows' })).toBe('worker');
    expect(routeOf(router, { as: 'rows', bytes: 5 * MB, ready: false, startMs: 100 })).toBe('page');
    expect(routeOf(router, { as: 'rows', bytes: 100 * MB, ready: false, startMs: 100 })).toBe('worker');
  });

  test('chooses the page if decoding there takes a few milliseconds, and then misses no worker', () => {
    const router = routerOf({ page: 250_000, worker: 1e9 }, { as: 'rows' });
    expect(routeOf(router, { as: 'rows', bytes: 2 * MB })).toBe('page');
    for (let time = 0; time < 3; time += 1) {
      expect(router.choose({ ...question, as: 'rows', bytes: 2 * MB, ready: false })).toMatchObject({ route: 'page', warm: false });
    }
    expect(routeOf(router, { as: 'rows', bytes: 3 * MB })).toBe('worker');
  });

  test('chooses the page for rows without records, for any size', () => {
    const router = routerOf({ page: 1, worker: 1e9 }, { as: 'rows' });
    for (const bytes of [5 * MB, undefined]) {
      expect(routeOf(router, { as: 'rows', bytes, sample: NO_RECORDS })).toBe('page');
      expect(routeOf(router, { as: 'rows', bytes, sample: { ...NO_RECORDS, list: false } })).toBe('page');
      expect(routeOf(router, { as: 'rows', bytes, sample: NESTED })).toBe('worker');
      expect(routeOf(router, { as: 'rows', bytes, sample: undefined })).toBe('worker');
    }
  });

  test('chooses the page for rows of a format after one payload was not tabular', () => {
    const router = new Router(true);
    expect(router.mayLackRecords('cbor')).toBe(false);
    router.noteNoRecords('cbor');
    expect([router.mayLackRecords('cbor'), router.mayLackRecords('messagepack')]).toEqual([true, false]);
  });

  test('assumes cold readers for a first payload, and a warm engine', () => {
    const cold = new Router(true);
    expect(routeOf(cold, { as: 'rows', bytes: MB, ready: false, startMs: undefined })).toBe('page');
    expect(routeOf(cold, { as: 'rows', bytes: MB, ready: false, startMs: undefined, format: 'cbor' })).toBe('page');
    expect(routeOf(cold, { as: 'rows', bytes: 50 * MB, ready: false, startMs: undefined, format: 'cbor' })).toBe('worker');
  });

  test('chooses a worker for rows of unknown size, and for objects only if the first records are flat', () => {
    const router = new Router(true);
    expect(routeOf(router, { bytes: undefined, as: 'rows', sample: undefined })).toBe('worker');
    expect(routeOf(router, { bytes: undefined })).toBe('worker');
    expect(routeOf(router, { bytes: undefined, sample: undefined })).toBe('page');
  });

  test('includes its reason', () => {
    const { why } = routerOf({ page: 200_000, worker: 400_000 }, { as: 'rows' }).choose({ ...question, as: 'rows', bytes: 19.9 * MB });
    expect(why).toBe('about 53 ms in a worker, 100 ms on the page');
  });
});

describe('router that misses a worker', () => {
  const rows = { ...question, as: 'rows', bytes: 5 * MB, ready: false, startMs: undefined } as const;

  test('starts one for the next payload after two payloads that would have benefited', () => {
    const router = new Router(true);
    expect(router.choose(rows)).toMatchObject({ route: 'page', warm: false });
    expect(router.choose(rows)).toMatchObject({ route: 'page', warm: true });
    expect(router.choose({ ...rows, ready: true }).route).toBe('worker');
  });

  test('starts none if the page is faster than a ready worker', () => {
    const router = routerOf({ page: 250_000, worker: 50_000 }, { as: 'rows' });
    for (let time = 0; time < 3; time += 1) expect(router.choose(rows)).toMatchObject({ route: 'page', warm: false });
  });

  test('retries a worker that was slow, occasionally', () => {
    const router = routerOf({ page: 250_000, worker: 50_000 }, { as: 'rows' });
    const routes = Array.from({ length: 30 }, () => routeOf(router, { as: 'rows' }));
    expect(routes.slice(0, 5)).not.toContain('worker');
    expect(routes).toContain('worker');
  });
});

describe('router that samples records', () => {
  const first = { ...question, format: 'messagepack', bytes: MB, ready: false, startMs: undefined } as const;

  test('skips the first payload of a format unless a ready worker could be worthwhile', () => {
    expect(new Router(true).dependsOnRecords(first)).toBe(false);
    expect(new Router(true).dependsOnRecords({ ...first, bytes: 10 * MB, ready: true })).toBe(true);
    expect(new Router(true).dependsOnRecords({ ...first, bytes: 100 * MB })).toBe(true);
  });

  test('samples later payloads, so that a missed worker is started', () => {
    const router = routerOf({ page: 100_000 }, { format: 'messagepack' });
    expect(router.dependsOnRecords({ ...first, bytes: 10 * MB })).toBe(true);
    expect(router.dependsOnRecords({ ...first, bytes: 10_000 })).toBe(false);
  });

  test('always samples a payload of unknown size, and never one whose route the caller chose', () => {
    expect(new Router(true).dependsOnRecords({ ...first, bytes: undefined })).toBe(true);
    expect(new Router(true).dependsOnRecords({ ...first, bytes: undefined, route: 'page' })).toBe(false);
    expect(new Router(false).dependsOnRecords({ ...first, bytes: undefined })).toBe(false);
  });

  test('misses no worker for objects without a sample', () => {
    const router = new Router(true);
    for (let time = 0; time < 3; time += 1) {
      expect(router.choose({ ...first, bytes: 5 * MB, sample: undefined })).toMatchObject({ route: 'page', warm: false });
    }
  });
});

describe("router's speed estimate", () => {
  test('moves half way at first and a fifth later, or more if faster; ignores failed and short decodes', () => {
    const router = new Router(true);
    const first = router.speed('json', 'page');
    const decode = { ...newReport({}), format: 'json', route: 'page', bytes: 4 * MB, decodeMs: (4 * MB) / (first / 2) } as const;
    for (let time = 0; time < 3; time += 1) router.learn(decode);
    expect(router.speed('json', 'page')).toBeCloseTo(0.75 * first);
    for (let time = 0; time < MANY; time += 1) router.learn(decode);
    expect(router.speed('json', 'page')).toBeCloseTo(0.5 * first, -2);
    const slowed = routerOf({ page: first });
    slowed.learn(decode);
    expect(slowed.speed('json', 'page')).toBeCloseTo(0.9 * first);
    const later = { ...decode, decodeMs: (4 * MB) / (1.9 * first) };
    slowed.learn(later);
    expect(slowed.speed('json', 'page')).toBeCloseTo(1.5 * first);
    slowed.learn({ ...later, error: { name: 'DecodeError', message: 'bad' } });
    slowed.learn({ ...later, bytes: 100 });
    expect(slowed.speed('json', 'page')).toBeCloseTo(1.5 * first);
  });

  test("predicts an unmeasured worker's speed from that of the page", () => {
    const first = new Router(true).speed('json', 'worker objects');
    const router = routerOf({ page: 2 * new Router(true).speed('json', 'page') });
    expect(router.speed('json', 'worker objects')).toBeCloseTo(2 * first, -2);
    expect(router.speed('messagepack', 'worker objects')).toBe(new Router(true).speed('messagepack', 'worker objects'));
  });

  test('counts the first two decodes on the page only if faster than estimated', () => {
    const router = new Router(true);
    const first = router.speed('json', 'page');
    const decode = { ...newReport({}), format: 'json', route: 'page', bytes: MB } as const;
    router.learn({ ...decode, decodeMs: (10 * MB) / first });
    expect(router.speed('json', 'page')).toBe(first);
    router.learn({ ...decode, decodeMs: MB / (2 * first) });
    expect(router.speed('json', 'page')).toBeCloseTo(1.6 * first);
  });

  test('ignores the first 8 MB if slower than estimated, for any number of decodes', () => {
    const router = new Router(true);
    const first = router.speed('json', 'page');
    const slow = { ...newReport({}), format: 'json', route: 'page', bytes: MB, decodeMs: (5 * MB) / first } as const;
    for (let time = 0; time < 8; time += 1) router.learn(slow);
    expect(router.speed('json', 'page')).toBe(first);
    router.learn(slow);
    expect(router.speed('json', 'page')).toBeCloseTo(0.6 * first);
  });

  test("covers a worker's whole decode, except for the first two", () => {
    const router = new Router(true);
    const decode = { ...newReport({}), format: 'json', route: 'worker', bytes: 4 * MB, decodeMs: 2, readMs: 1, queueMs: 1, duration: 60 } as const;
    for (let time = 0; time < 2; time += 1) router.learn(decode);
    expect(router.speed('json', 'worker objects')).toBe(new Router(true).speed('json', 'worker objects'));
    router.learn(decode);
    expect(router.speed('json', 'worker objects')).toBeLessThan(new Router(true).speed('json', 'worker objects'));
  });
});
