import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { JsonSlices } from '../../../../main/json/slices.ts';
import { readAtOnce, ReaderSlices } from '../../../../main/slicing/reader-slices.ts';
import { keepAliveTools } from '../../../../main/rows/materialise.ts';
import { Slicer } from '../../../../main/slicing/slicer.ts';
import { decodeSync } from '../../../../main/sync.ts';
import { DecodeSession } from '../../../../core/reading/decode.ts';
import messagepack from '../../../../core/formats/messagepack/index.ts';
import { resolveLimits } from '../../../../core/limits.ts';
import { keepAliveSink } from '../../../../core/sinks/columns/rows.ts';
import { keepAlive } from '../../../../core/engine/keep-alive.ts';
import { Job } from '../../../../worker/job.ts';
import type { ToPage } from '../../../../worker/protocol.ts';
import { JobScheduler } from '../../../../worker/job-scheduler.ts';
import { throughBlock } from '../../../setup/ways/through-block.ts';

vi.mock('../../../../core/engine/keep-alive.ts', { spy: true });

/** `{ a: 1 }` as MessagePack. */
const BYTES = Uint8Array.of(0x81, 0xa1, 0x61, 0x01);
const settingOf = (options: object) => ({ id: 'messagepack' as const, format: messagepack, options, limits: resolveLimits(), schema: undefined });
const setting = settingOf({});

test('keepAlive creates one instance of each kind', () => {
  const made: string[] = [];
  for (const kind of ['a', 'b', 'a', 'b']) keepAlive(kind, () => made.push(kind));
  expect(made).toEqual(['a', 'b']);
});

test('a payload is decoded with its own options, regardless of those of the keep-alive instance', () => {
  const decode = (options: object): unknown => readAtOnce(settingOf(options), BYTES, undefined);
  expect([decode({ maps: 'map' }), decode({}), decode({ maps: 'map' })]).toEqual([new Map([['a', 1]]), { a: 1 }, new Map([['a', 1]])]);
});

test('writing and opening blocks uses keep-alive instances', () => {
  expect(keepAliveSink().path()).toEqual([2]);
  expect(keepAliveTools()).toHaveLength(3);
});

async function decodeAsJob(): Promise<void> {
  const turns = new JobScheduler();
  const { port1, port2 } = new MessageChannel();
  onTestFinished(() => (turns.close(), port1.close()));
  const outcome = new Promise((resolve) => {
    port1.onmessage = ({ data }: MessageEvent<ToPage>) => data.kind === 'outcome' && resolve(data);
  });
  await new Job(port2, turns, Uint8Array.from(BYTES)).run(setting);
  expect(await outcome).not.toHaveProperty('error');
}

/** Code paths of a decode, with the kind of keep-alive instance that each keeps. */
const WAYS: readonly (readonly [string, unknown, () => unknown])[] = [
  ['at once', messagepack, () => readAtOnce(setting, BYTES, undefined)],
  ['synchronously', messagepack, () => decodeSync(messagepack, BYTES)],
  [
    'in slices',
    messagepack,
    async () => {
      const slices = new ReaderSlices(setting, undefined, new Slicer());
      await slices.push(BYTES);
      await slices.end();
    },
  ],
  [
    'of JSON in slices',
    'json',
    async () => {
      const slices = new JsonSlices(resolveLimits(), new Slicer());
      await slices.push(new TextEncoder().encode('[1]'));
      await slices.end();
    },
  ],
  ['in a worker', messagepack, decodeAsJob],
  ['from the parts of a block', 'objects', () => throughBlock((sink) => new DecodeSession(setting, sink).end(BYTES))],
];

describe('keepAlive', () => {
  test.each(WAYS)('keeps an instance after a decode %s', async (_, kind, decode) => {
    const keep = vi.mocked(keepAlive).mockClear();
    await decode();
    expect(keep.mock.calls.map(([kept]) => kept)).toEqual([kind]);
    const make = keep.mock.calls[0]![1];
    const keepAliveInstance = make();
    expect(keepAliveInstance).toBeTypeOf('object');
    // A new one, which never decodes anything.
    expect(make()).not.toBe(keepAliveInstance);
  });
});
