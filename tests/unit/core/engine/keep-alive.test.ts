import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import type { ToPage } from '../../../../worker/protocol.ts';

/** Modules loaded anew, which have kept no instance yet. Test files share the others. */
async function load() {
  vi.resetModules();
  const modules = await Promise.all([
    import('../../../../core/engine/keep-alive.ts'),
    import('../../../../core/formats/messagepack/index.ts'),
    import('../../../../core/limits.ts'),
    import('../../../../core/format/decode-session.ts'),
    import('../../../../core/kernels/row-sink.ts'),
    import('../../../../core/slicing/json/json-slices.ts'),
    import('../../../../main/rows/materialise.ts'),
    import('../../../../core/slicing/reader-slices.ts'),
    import('../../../../core/slicing/slicer.ts'),
    import('../../../../main/sync.ts'),
    import('../../../../worker/job.ts'),
    import('../../../../worker/job-scheduler.ts'),
    import('../../../setup/ways/through-block.ts'),
  ]);
  const [keepAlive, format, limits, decode, columns, json, rows, reader, slicer, sync, job, scheduler, block] = modules;
  return {
    ...keepAlive,
    ...limits,
    ...decode,
    ...columns,
    ...json,
    ...rows,
    ...reader,
    ...slicer,
    ...sync,
    ...job,
    ...scheduler,
    ...block,
    messagepack: format.default,
  };
}

let library: Awaited<ReturnType<typeof load>>;
beforeEach(async () => {
  library = await load();
});

/** `{ a: 1 }` as MessagePack. */
const BYTES = Uint8Array.of(0x81, 0xa1, 0x61, 0x01);
const settingOf = (options: object) => ({
  id: 'messagepack' as const,
  format: library.messagepack,
  options,
  limits: library.resolveLimits(),
  schema: undefined,
});

test('keepAlive creates one instance of each kind', () => {
  const made: string[] = [];
  for (const kind of ['a', 'b', 'a', 'b']) library.keepAlive(kind, () => made.push(kind));
  expect(made).toEqual(['a', 'b']);
});

test('a payload is decoded with its own options, regardless of those of the keep-alive instance', () => {
  const decode = (options: object): unknown => library.readAtOnce(settingOf(options), BYTES, undefined);
  expect([decode({ maps: 'map' }), decode({}), decode({ maps: 'map' })]).toEqual([new Map([['a', 1]]), { a: 1 }, new Map([['a', 1]])]);
});

test('writing and opening blocks uses keep-alive instances', () => {
  expect(library.keepAliveSink().path()).toEqual([2]);
  expect(library.keepAliveTools()).toHaveLength(3);
});

async function decodeAsJob(): Promise<void> {
  const turns = new library.JobScheduler();
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => (turns.close(), port1.close()));
  const outcome = new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<ToPage>) => data.kind === 'outcome' && resolve(data);
  });
  await new library.Job(port2, turns, Uint8Array.from(BYTES)).run(settingOf({}));
  expect(await outcome).not.toHaveProperty('error');
}

/** Code paths of a decode, with the kind of keep-alive instance that each keeps. */
const WAYS: readonly (readonly [string, 'format' | 'json' | 'objects', () => unknown])[] = [
  ['at once', 'format', () => library.readAtOnce(settingOf({}), BYTES, undefined)],
  ['synchronously', 'format', () => library.decodeSync(library.messagepack, BYTES)],
  [
    'in slices',
    'format',
    async () => {
      const slices = new library.ReaderSlices(settingOf({}), undefined, new library.Slicer());
      await slices.push(BYTES);
      await slices.end();
    },
  ],
  [
    'of JSON in slices',
    'json',
    async () => {
      const slices = new library.JsonSlices(library.resolveLimits(), new library.Slicer());
      await slices.push(new TextEncoder().encode('[1]'));
      await slices.end();
    },
  ],
  ['in a worker', 'format', decodeAsJob],
  ['from the parts of a block', 'objects', () => library.throughBlock((sink) => new library.DecodeSession(settingOf({}), sink).end(BYTES))],
];

describe('keepAlive', () => {
  test.each(WAYS)('keeps an instance after a decode %s', async (_, kind, decode) => {
    const key = kind === 'format' ? library.messagepack : kind;
    const set = vi.spyOn(Map.prototype, 'set');
    onTestFinished(() => set.mockRestore());
    const keptAfter = async (): Promise<unknown[]> => {
      await decode();
      return set.mock.calls.filter(([kept]) => kept === key).map(([, instance]) => instance);
    };
    const kept = await keptAfter();
    expect(kept).toEqual([expect.any(Object)]);
    // Later decodes keep no further one.
    expect(await keptAfter()).toEqual(kept);
  });
});
