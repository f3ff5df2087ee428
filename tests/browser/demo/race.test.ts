import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Contender, ContenderId, DecodeRequest } from '../../../demo/contenders/contender.ts';
import { createDownloads } from '../../../demo/race/downloads.ts';
import { createFrameMonitor, type FrameMonitor } from '../../../demo/frames/frame-monitor.ts';
import { ConnectionError } from '../../../demo/payloads/load-blob.ts';
import { createRace, type Race } from '../../../demo/race/race.ts';
import { createSettings } from '../../../demo/race/settings.ts';

const settings = createSettings(new URLSearchParams('rows=10000&encoding=messagepack'));
const trips = [{ ride_id: 'A' }, { ride_id: 'B' }];

let monitor: FrameMonitor;
let asked: string[];
/** Calls of the contenders. */
let calls: string[];

beforeEach(() => {
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  monitor = createFrameMonitor();
  asked = [];
  calls = [];
});

afterEach(() => {
  monitor.stop();
  vi.restoreAllMocks();
});

function contender(id: ContenderId, decode: Contender['decode'], encoding?: 'json'): Contender {
  const call = (what: string) => () => {
    calls.push(`${id} ${what}`);
    return Promise.resolve();
  };
  return {
    id,
    title: id,
    how: '',
    encodingFor: (chosen) => encoding ?? chosen,
    renew: call('renew'),
    prepare: call('prepare'),
    release: () => void calls.push(`${id} release`),
    load: (payload) => payload.arrayBuffer(),
    decode: (request) => {
      calls.push(`${id} decode`);
      return decode(request);
    },
  };
}

/** Time of the page's clock. */
let now = 1_000;

/** Advances the page's clock, as a decoder on the main thread does. */
const blocking =
  (ms: number): Contender['decode'] =>
  () => {
    const started = now;
    now += ms;
    return Promise.resolve({ rows: trips, started, readyMs: ms, totalMs: ms });
  };

/** Settles only when aborted. */
const endless: Contender['decode'] = ({ signal }: DecodeRequest) =>
  new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error));
  });

function makeRace(contenders: Contender[], load = (url: string) => Promise.resolve(new Blob([url]))): Race {
  const downloads = createDownloads((url) => {
    asked.push(new URLSearchParams(url.split('?')[1]).get('format')!);
    return load(url);
  });
  return createRace(settings, downloads, monitor, contenders, { start: 0, restMs: 0 });
}

describe('createRace', () => {
  it('runs all with their own encodings, downloaded once, and shows the rows of the last one', async () => {
    const race = makeRace([contender('json-parse', blocking(120), 'json'), contender('clone', blocking(5)), contender('unspool', blocking(1))]);
    const running = race.runAll();
    expect(race.running.value).toBe('all');
    await running;
    expect(race.running.value).toBeUndefined();
    expect(asked).toEqual(['json', 'messagepack']);
    const [parse, , own] = race.lanes.map(({ state }) => (state.value.phase === 'done' ? state.value.outcome : undefined));
    // The timer subtracts its own delay of 4 ms.
    expect(parse!.recording.longestBlock).toBe(116);
    expect(own!.recording.longestBlock).toBe(0);
    expect(own!.rowCount).toBe(2);
    // The second round began with the second.
    expect(race.shown.value?.contender.id).toBe('json-parse');
    expect(race.shown.value?.rows).toBe(trips);
  });

  it('runs each contender cold in a new page, then warm in the same page', async () => {
    const race = makeRace([contender('clone', blocking(1)), contender('unspool', blocking(1))]);
    await race.runAll();
    expect(calls).toEqual([
      'clone renew',
      'clone decode',
      'unspool renew',
      'unspool decode',
      'unspool prepare',
      'unspool decode',
      'clone prepare',
      'clone decode',
    ]);
    calls = [];
    await race.runAll();
    expect(calls).toEqual(['clone prepare', 'clone decode', 'unspool prepare', 'unspool decode']);
    expect(race.lanes.map(({ runs }) => [runs.value.first !== undefined, runs.value.warm.length])).toEqual([
      [true, 2],
      [true, 2],
    ]);
    expect(race.rounds.value.map(({ kind, contenders }) => [kind, ...contenders.map(({ id }) => id)])).toEqual([['warm', 'clone', 'unspool']]);
  });

  it('gives a failed contender a new page, and reports the last one that ended', async () => {
    let isBroken = true;
    const race = makeRace([
      contender('unspool', (given) => {
        if (isBroken) throw new RangeError('Offset is outside the bounds');
        return blocking(1)(given);
      }),
    ]);
    await race.run('unspool');
    expect(race.ended.value?.state.value.phase).toBe('failed');
    expect(calls).toEqual(['unspool renew', 'unspool decode']);
    isBroken = false;
    calls = [];
    const running = race.run('unspool');
    expect(race.ended.value).toBeUndefined();
    await running;
    expect(calls).toEqual(['unspool renew', 'unspool decode', 'unspool prepare', 'unspool decode']);
    expect(race.ended.value?.state.value).toMatchObject({ phase: 'done', kind: 'warm' });
  });

  it('stores a failure in the state of its lane and continues', async () => {
    const race = makeRace([
      contender('msgpackr', () => {
        throw new RangeError('Offset is outside the bounds');
      }),
      contender('unspool', blocking(1)),
    ]);
    await race.runAll();
    expect(race.lanes.map(({ state }) => state.value.phase)).toEqual(['failed', 'done']);
    expect(race.problem.value).toBeUndefined();
  });

  it('stops a run and can start again', async () => {
    const race = makeRace([contender('clone', endless), contender('unspool', blocking(1))]);
    const running = race.runAll();
    await expect.poll(() => race.lanes[0]!.state.value.phase).toBe('running');
    race.stop();
    await running;
    expect(race.lanes.map(({ state }) => state.value.phase)).toEqual(['idle', 'idle']);
    expect(race.problem.value).toBeUndefined();
    await race.run('unspool');
    expect(race.lanes[1]!.state.value.phase).toBe('done');
  });

  it('reports a failed download', async () => {
    const race = makeRace([contender('unspool', blocking(1))], (url) => Promise.reject(new ConnectionError(url)));
    await race.runAll();
    expect(race.problem.value).toBeInstanceOf(ConnectionError);
    expect(race.running.value).toBeUndefined();
  });

  it('gives each contender its own bytes', async () => {
    const payloads: ArrayBuffer[] = [];
    const taking: Contender['decode'] = ({ payload }) => {
      payloads.push(payload);
      structuredClone(payload, { transfer: [payload] });
      return Promise.resolve({ rows: trips, started: performance.now(), readyMs: 0, totalMs: 0 });
    };
    const race = makeRace([contender('clone', taking), contender('unspool', taking)]);
    await race.runAll();
    expect(race.lanes.map(({ state }) => state.value.phase)).toEqual(['done', 'done']);
    expect(payloads[0]).not.toBe(payloads[1]);
  });

  it('clears its measurements on request', async () => {
    const race = makeRace([contender('clone', blocking(1)), contender('unspool', blocking(1))]);
    await race.runAll();
    expect(race.shown.value?.contender.id).toBe('clone');
    calls = [];
    race.clear('unspool');
    expect(race.lanes.map(({ state, runs }) => [state.value.phase, runs.value.first !== undefined])).toEqual([
      ['done', true],
      ['idle', false],
    ]);
    expect(race.shown.value?.contender.id).toBe('clone');
    expect(calls).toEqual(['unspool release']);
    race.clear();
    expect(race.shown.value).toBeUndefined();
  });
});
