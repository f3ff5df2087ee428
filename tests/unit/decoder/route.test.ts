import { describe, expect, test } from 'vitest';
import { newReport } from '../../../main/decoder/observe.ts';
import { Router, type RouteQuestion } from '../../../main/decoder/route.ts';

const MB = 1_000_000;
const FLAT = { list: true, flat: true, regular: true };
const NESTED = { list: true, flat: false, regular: true };

/** A payload of JSON whose records are flat, on a page whose worker is ready. */
const question: RouteQuestion = { route: 'auto', as: 'objects', format: 'json', bytes: 20 * MB, sample: FLAT, ready: true, startMs: 50 };

/** A router on a page that has measured these speeds, in bytes a millisecond. */
function routerOf(speeds: { page?: number; worker?: number; build?: number }, format: RouteQuestion['format'] = 'json'): Router {
  const router = new Router(true);
  const { page, worker, build = 1e9 } = speeds;
  const bytes = 100 * MB;
  if (page) router.learn({ ...newReport({}), format, route: 'page', bytes, decodeMs: bytes / page });
  if (worker) router.learn({ ...newReport({}), format, route: 'worker', bytes, decodeMs: bytes / worker, materialiseMs: bytes / build });
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
    for (const sample of [NESTED, { list: true, flat: true, regular: false }, { list: false, flat: false, regular: false }]) {
      expect(routeOf(router, { sample })).toBe('page');
    }
  });

  test('of objects in flat, regular records is a worker where it takes no longer than the page', () => {
    expect(routeOf(routerOf({ page: 250_000, worker: 400_000, build: MB }))).toBe('worker');
    expect(routeOf(routerOf({ page: 250_000, worker: 100_000, build: MB }))).toBe('page');
    expect(routeOf(routerOf({ page: 250_000, worker: 400_000, build: 50_000 }))).toBe('page');
  });

  test('of rows is a worker, unless the page is done before a worker could be', () => {
    const router = routerOf({ page: 250_000, worker: 250_000 });
    expect(routeOf(router, { as: 'rows' })).toBe('worker');
    expect(routeOf(router, { as: 'rows', bytes: 5 * MB, ready: false, startMs: 100 })).toBe('page');
    expect(routeOf(router, { as: 'rows', bytes: 100 * MB, ready: false, startMs: 100 })).toBe('worker');
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
    const { why } = routerOf({ page: 200_000, worker: 400_000 }).choose({ ...question, as: 'rows' });
    expect(why).toBe('about 52 ms in a worker, 100 ms on the page');
  });
});

describe('what was measured', () => {
  test('counts more the later it was, and failed or short decodes do not count', () => {
    const router = routerOf({ page: 100_000 });
    expect(router.speed('json', 'page')).toBe(100_000);
    const later = { ...newReport({}), format: 'json', route: 'page', bytes: MB, decodeMs: 5 } as const;
    router.learn(later);
    expect(router.speed('json', 'page')).toBeCloseTo(140_000);
    router.learn({ ...later, error: { name: 'DecodeError', message: 'bad' } });
    router.learn({ ...later, bytes: 100 });
    expect(router.speed('json', 'page')).toBeCloseTo(140_000);
  });
});
