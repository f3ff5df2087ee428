import { describe, expect, test } from 'vitest';
import { newReport } from '../../../../main/decoder/observe.ts';
import { Router, type RouteQuestion } from '../../../../main/decoder/route.ts';

const MB = 1_000_000;
const MANY = 40;
const FLAT = { list: true, records: true, flat: true, regular: true };
const NESTED = { list: true, records: true, flat: false, regular: true };
const NO_RECORDS = { list: true, records: false, flat: false, regular: false };

/** A payload of JSON whose records are flat, on a page whose worker is ready. */
const question: RouteQuestion = { route: 'auto', as: 'objects', format: 'json', bytes: 20 * MB, sample: FLAT, ready: true, startMs: 50 };

/** A router on a page that has measured these speeds many times, in bytes a millisecond: the worker's when it was warm. */
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

describe('the route', () => {
  test('is the one that the caller asks for', () => {
    const router = new Router(true);
    for (const route of ['page', 'worker'] as const) {
      expect(router.choose({ ...question, route, bytes: 1 })).toEqual({ route, why: 'asked for' });
    }
  });

  test('is the page where there are no workers, whatever is asked for', () => {
    expect(routeOf(new Router(false), { route: 'worker' })).toBe('page');
  });

  test('of objects is the page where the records are nested or irregular, or no records', () => {
    const router = routerOf({ page: 1, worker: 1e9 });
    for (const sample of [NESTED, { ...FLAT, regular: false }, NO_RECORDS, { ...NO_RECORDS, list: false }]) {
      expect(routeOf(router, { sample })).toBe('page');
    }
  });

  test('of objects in flat, regular records is a worker where it takes no longer than the page', () => {
    expect(routeOf(routerOf({ page: 250_000, worker: 400_000 }))).toBe('worker');
    expect(routeOf(routerOf({ page: 250_000, worker: 100_000 }))).toBe('page');
  });

  test('of rows is a worker, unless the page is done before a worker could be', () => {
    const router = routerOf({ page: 250_000, worker: 250_000 }, { as: 'rows' });
    expect(routeOf(router, { as: 'rows' })).toBe('worker');
    expect(routeOf(router, { as: 'rows', bytes: 5 * MB, ready: false, startMs: 100 })).toBe('page');
    expect(routeOf(router, { as: 'rows', bytes: 100 * MB, ready: false, startMs: 100 })).toBe('worker');
  });

  test('is the page for what takes it a few milliseconds, however fast a worker is, and none is missed', () => {
    const router = routerOf({ page: 250_000, worker: 1e9 }, { as: 'rows' });
    expect(routeOf(router, { as: 'rows', bytes: 2 * MB })).toBe('page');
    for (let time = 0; time < 3; time += 1) {
      expect(router.choose({ ...question, as: 'rows', bytes: 2 * MB, ready: false })).toMatchObject({ route: 'page', warm: false });
    }
    expect(routeOf(router, { as: 'rows', bytes: 3 * MB })).toBe('worker');
  });

  test('of rows is the page where there are no records, whatever the size', () => {
    const router = routerOf({ page: 1, worker: 1e9 }, { as: 'rows' });
    for (const bytes of [5 * MB, undefined]) {
      expect(routeOf(router, { as: 'rows', bytes, sample: NO_RECORDS })).toBe('page');
      expect(routeOf(router, { as: 'rows', bytes, sample: { ...NO_RECORDS, list: false } })).toBe('page');
      expect(routeOf(router, { as: 'rows', bytes, sample: NESTED })).toBe('worker');
      expect(routeOf(router, { as: 'rows', bytes, sample: undefined })).toBe('worker');
    }
  });

  test('may be the page for rows of a format once one of its payloads was hardly records', () => {
    const router = new Router(true);
    expect(router.mayLackRecords('cbor')).toBe(false);
    router.lacksRecords('cbor');
    expect([router.mayLackRecords('cbor'), router.mayLackRecords('messagepack')]).toEqual([true, false]);
  });

  test('of a first payload reckons with readers that are not warm yet, and with an engine that is', () => {
    const cold = new Router(true);
    expect(routeOf(cold, { as: 'rows', bytes: MB, ready: false, startMs: undefined })).toBe('page');
    expect(routeOf(cold, { as: 'rows', bytes: MB, ready: false, startMs: undefined, format: 'cbor' })).toBe('page');
    expect(routeOf(cold, { as: 'rows', bytes: 50 * MB, ready: false, startMs: undefined, format: 'cbor' })).toBe('worker');
  });

  test('of a size that is not known is a worker for rows, and for objects only where the first records are flat', () => {
    const router = new Router(true);
    expect(routeOf(router, { bytes: undefined, as: 'rows', sample: undefined })).toBe('worker');
    expect(routeOf(router, { bytes: undefined })).toBe('worker');
    expect(routeOf(router, { bytes: undefined, sample: undefined })).toBe('page');
  });

  test('says what it reckons with', () => {
    const { why } = routerOf({ page: 200_000, worker: 400_000 }, { as: 'rows' }).choose({ ...question, as: 'rows', bytes: 19.9 * MB });
    expect(why).toBe('about 53 ms in a worker, 100 ms on the page');
  });
});

describe('a worker that is missed', () => {
  const rows = { ...question, as: 'rows', bytes: 5 * MB, ready: false, startMs: undefined } as const;

  test('is started for the next payload from the second one on that it would have been worth it for', () => {
    const router = new Router(true);
    expect(router.choose(rows)).toMatchObject({ route: 'page', warm: false });
    expect(router.choose(rows)).toMatchObject({ route: 'page', warm: true });
    expect(router.choose({ ...rows, ready: true }).route).toBe('worker');
  });

  test('is not started where the page is quicker than one that is there', () => {
    const router = routerOf({ page: 250_000, worker: 50_000 }, { as: 'rows' });
    for (let time = 0; time < 3; time += 1) expect(router.choose(rows)).toMatchObject({ route: 'page', warm: false });
  });

  test('that was slow is tried again after a while', () => {
    const router = routerOf({ page: 250_000, worker: 50_000 }, { as: 'rows' });
    const routes = Array.from({ length: 30 }, () => routeOf(router, { as: 'rows' }));
    expect(routes.slice(0, 5)).not.toContain('worker');
    expect(routes).toContain('worker');
  });
});

describe('a look at the records', () => {
  const first = { ...question, format: 'messagepack', bytes: MB, ready: false, startMs: undefined } as const;

  test('is not taken for the first payload of a format where no worker is ready that could be worth it', () => {
    expect(new Router(true).dependsOnRecords(first)).toBe(false);
    expect(new Router(true).dependsOnRecords({ ...first, bytes: 10 * MB, ready: true })).toBe(true);
    expect(new Router(true).dependsOnRecords({ ...first, bytes: 100 * MB })).toBe(true);
  });

  test('is taken for later payloads, so that a worker that is missed is started', () => {
    const router = routerOf({ page: 100_000 }, { format: 'messagepack' });
    expect(router.dependsOnRecords({ ...first, bytes: 10 * MB })).toBe(true);
    expect(router.dependsOnRecords({ ...first, bytes: 10_000 })).toBe(false);
  });

  test('is always taken where the size is not known, and never where the caller has decided', () => {
    expect(new Router(true).dependsOnRecords({ ...first, bytes: undefined })).toBe(true);
    expect(new Router(true).dependsOnRecords({ ...first, bytes: undefined, route: 'page' })).toBe(false);
    expect(new Router(false).dependsOnRecords({ ...first, bytes: undefined })).toBe(false);
  });

  test('that was not taken lets no worker be missed for objects', () => {
    const router = new Router(true);
    for (let time = 0; time < 3; time += 1) {
      expect(router.choose({ ...first, bytes: 5 * MB, sample: undefined })).toMatchObject({ route: 'page', warm: false });
    }
  });
});

describe('what was measured', () => {
  test('moves a speed half of the way at first and a fifth later, or more where it was faster; failed or short decodes do not count', () => {
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

  test('of the page says how fast a worker may be that has not been measured', () => {
    const first = new Router(true).speed('json', 'worker objects');
    const router = routerOf({ page: 2 * new Router(true).speed('json', 'page') });
    expect(router.speed('json', 'worker objects')).toBeCloseTo(2 * first, -2);
    expect(router.speed('messagepack', 'worker objects')).toBe(new Router(true).speed('messagepack', 'worker objects'));
  });

  test('of the first two decodes on the page counts only where they were faster than was thought', () => {
    const router = new Router(true);
    const first = router.speed('json', 'page');
    const decode = { ...newReport({}), format: 'json', route: 'page', bytes: MB } as const;
    router.learn({ ...decode, decodeMs: (10 * MB) / first });
    expect(router.speed('json', 'page')).toBe(first);
    router.learn({ ...decode, decodeMs: MB / (2 * first) });
    expect(router.speed('json', 'page')).toBeCloseTo(1.6 * first);
  });

  test('of the first 8 MB does not count where it was slower than was thought, in however many decodes', () => {
    const router = new Router(true);
    const first = router.speed('json', 'page');
    const slow = { ...newReport({}), format: 'json', route: 'page', bytes: MB, decodeMs: (5 * MB) / first } as const;
    for (let time = 0; time < 8; time += 1) router.learn(slow);
    expect(router.speed('json', 'page')).toBe(first);
    router.learn(slow);
    expect(router.speed('json', 'page')).toBeCloseTo(0.6 * first);
  });

  test('of a worker is the time of the whole decode, but for its first two', () => {
    const router = new Router(true);
    const decode = { ...newReport({}), format: 'json', route: 'worker', bytes: 4 * MB, decodeMs: 2, readMs: 1, queueMs: 1, duration: 60 } as const;
    for (let time = 0; time < 2; time += 1) router.learn(decode);
    expect(router.speed('json', 'worker objects')).toBe(new Router(true).speed('json', 'worker objects'));
    router.learn(decode);
    expect(router.speed('json', 'worker objects')).toBeLessThan(new Router(true).speed('json', 'worker objects'));
  });
});
