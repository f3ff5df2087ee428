import { type LanePage, openLane } from '../../contenders/framed.ts';
import { ABSENT_LIBRARIES, LIBRARIES } from '../../contenders/libraries.ts';
import { type FrameMonitor, nextFrame } from '../../frames/frame-monitor.ts';
import { isCompared } from './records.ts';
import type { ReadSetting, ReadWay, WayId } from './ways.ts';

/** Times of a way, in milliseconds. */
export interface Timing {
  ms: number;
  /** Longest time in which the page could not do anything else. */
  block: number;
  /** Frames of a display with 60 Hz that the page did not draw while it was busy. */
  lost: number;
}

/** Measurements of one way to read a payload. */
export interface Reading {
  id: WayId;
  title: string;
  how: string;
  /** On a page where nothing has been decoded. */
  first?: Timing;
  /** Medians. */
  warm?: Timing;
  /** Number of warm runs. */
  runs: number;
  /** Reason why it cannot be measured. */
  problem?: string;
}

const FRAME_MS = 1_000 / 60;
/** Warm runs, and milliseconds after which no further one begins. */
const RUNS = 5;
const MAX_TIME = 1_500;
/** Milliseconds before a run, so that the work of the last one has ended. */
const REST_MS = 60;

/** The ways that apply to a payload. */
export function waysFor(setting: ReadSetting): Reading[] {
  const { format, isSequence, records, pick } = setting;
  const library = isSequence && (format === 'bson' || format === 'arrow') ? undefined : LIBRARIES[format];
  const absent = ABSENT_LIBRARIES[format];
  const ways: (Omit<Reading, 'runs'> | false)[] = [
    absent !== undefined && { id: 'library', title: absent.name, how: 'not measured here', problem: `It ${absent.why}.` },
    library !== undefined && { id: 'library', title: library.name, how: 'on the main thread, in one task' },
    library !== undefined && { id: 'clone', title: `${library.name} in a worker`, how: 'objects posted back by structured clone' },
    { id: 'objects', title: 'Unspool, objects', how: 'plain objects, built in slices' },
    records !== undefined && { id: 'rows', title: 'Unspool, rows', how: 'until rows can be read; each becomes an object when it is' },
    records !== undefined && { id: 'columns', title: 'Unspool, columns', how: 'an array for each column' },
    pick.length > 0 && { id: 'pick', title: 'Unspool, pick', how: `rows with ${pick.map((path) => path.split('.').at(-1)).join(' and ')} only` },
    isCompared(format, isSequence, records) && { id: 'refetch', title: 'Unspool, refetch', how: '1 % of the records have changed: the others stay' },
  ];
  return ways.flatMap((way) => (way === false ? [] : [{ ...way, runs: 0 }]));
}

/** Measures a way in a page of its own: the first run there, then warm ones. Calls back after each step. */
export async function measureWay(
  reading: Reading,
  setting: ReadSetting,
  payload: Blob,
  { monitor, signal, onChange }: { monitor: FrameMonitor; signal: AbortSignal; onChange: (reading: Reading) => void },
): Promise<void> {
  let lane: LanePage | undefined;
  try {
    lane = await openLane({ id: reading.id, title: reading.title });
    const own = lane.window.lane;
    const way: ReadWay = (await own.openWays())[reading.id];
    const load = (): Promise<ArrayBuffer> => own.load(payload);
    if (reading.id === 'refetch' || reading.id === 'library') await way.prepare(setting, await load());
    const run = async (): Promise<Timing> => {
      const bytes = await load();
      await nextFrame();
      await new Promise((resolve) => setTimeout(resolve, REST_MS));
      signal.throwIfAborted();
      const recorder = monitor.record();
      recorder.watchBlocks();
      try {
        const ms = await way.read(setting, bytes, signal);
        await recorder.blocksSeen();
        const { frames, longestBlock } = recorder.stop(0);
        const lost = frames.reduce((sum, { duration }) => sum + Math.max(0, Math.round(duration / FRAME_MS) - 1), 0);
        return { ms, block: Math.max(0, longestBlock), lost };
      } catch (error) {
        recorder.stop(0);
        throw error;
      }
    };
    const first = await run();
    onChange({ ...reading, first });
    await way.prepare(setting, await load());
    const times: Timing[] = [];
    const began = performance.now();
    do times.push(await run());
    while (times.length < RUNS && performance.now() - began < MAX_TIME);
    onChange({
      ...reading,
      first,
      warm: { ms: median(times, 'ms'), block: median(times, 'block'), lost: median(times, 'lost') },
      runs: times.length,
    });
  } catch (error) {
    signal.throwIfAborted();
    onChange({ ...reading, problem: (error as Error).message });
  } finally {
    lane?.frame.remove();
  }
}

function median(times: readonly Timing[], key: keyof Timing): number {
  const sorted = times.map((timing) => timing[key]).toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)]!;
}
