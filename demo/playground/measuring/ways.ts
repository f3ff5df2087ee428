import { createDecoder, type DecodeOptions, type FormatId } from 'unspool';
import { createCloneWorker } from '../../contenders/clone.ts';
import { LIBRARIES } from '../../contenders/libraries.ts';
import { type Records, recordsAt, withChanges } from './records.ts';

export type WayId = 'library' | 'clone' | 'objects' | 'rows' | 'columns' | 'pick' | 'refetch';

/** How a payload is read. */
export interface ReadSetting {
  format: FormatId;
  isSequence: boolean;
  /** Options of the format. */
  options: Readonly<Record<string, unknown>>;
  /** In the form that `decode` takes; undefined without one. */
  schema: unknown;
  /** The longest list of records; undefined without one. */
  records: Records | undefined;
  /** Paths of the columns to pick. */
  pick: readonly string[];
}

/** One way to read a payload, on a page of its own. */
export interface ReadWay {
  /** Does what does not count, such as starting the worker before warm runs. */
  prepare(setting: ReadSetting, payload: ArrayBuffer): Promise<void>;
  /** Reads the payload, which it may transfer. Returns milliseconds until the result can be used. */
  read(setting: ReadSetting, payload: ArrayBuffer, signal: AbortSignal): Promise<number>;
}

/** Creates the ways to read a payload. Nothing has been decoded on this page. */
export function createWays(): Record<WayId, ReadWay> {
  const decoder = createDecoder({ workers: 1 });
  const worker = createCloneWorker();

  /** Decodes, and reads a first record of a result that makes records when they are read. */
  const decoding = (more: DecodeOptions, pick = false): ReadWay => ({
    prepare: () => Promise.resolve(),
    async read(setting, payload, signal) {
      const started = performance.now();
      const options = { ...optionsOf(setting), ...more, ...(pick && { pick: setting.pick }), transfer: true, signal };
      const value: unknown = await decoder.decode(payload, options as DecodeOptions);
      if (more.as === 'rows' && setting.records) (recordsAt(value, setting.records.path) as { at?(index: number): unknown } | undefined)?.at?.(0);
      return performance.now() - started;
    },
  });

  return {
    library: {
      prepare: async ({ format }) => void (await LIBRARIES[format]!.load()),
      async read({ format, isSequence }, payload) {
        const parse = await LIBRARIES[format]!.load();
        const started = performance.now();
        parse(new Uint8Array(payload), isSequence);
        return performance.now() - started;
      },
    },
    clone: {
      prepare: () => worker.prepare(),
      async read({ format, isSequence }, payload, signal) {
        const started = performance.now();
        await worker.decode({ format, isSequence, payload }, signal);
        return performance.now() - started;
      },
    },
    objects: decoding({ as: 'objects' }),
    rows: decoding({ as: 'rows' }),
    columns: decoding({ as: 'columns' }),
    pick: decoding({ as: 'rows' }, true),
    refetch: createRefetch(decoder),
  };
}

/** Decodes a payload of which 1 % of the records have changed since the last. */
function createRefetch(decoder: ReturnType<typeof createDecoder>): ReadWay {
  let before: ArrayBuffer | undefined;
  let after: ArrayBuffer | undefined;
  return {
    async prepare(setting, payload) {
      if (before) return;
      const { createEncoder } = await import('unspool/encode');
      const encoder = createEncoder();
      const options = optionsOf(setting);
      const write = async (value: unknown): Promise<ArrayBuffer> => {
        const bytes = await encoder.encode(value, options as { format: 'json' });
        return bytes.slice().buffer;
      };
      const value: unknown = await decoder.decode(payload.slice(0), options as DecodeOptions);
      before = await write(value);
      after = await write(withChanges(value, setting.records!.path));
    },
    async read(setting, _payload, signal) {
      const options = { ...optionsOf(setting), signal };
      const previous: unknown = await decoder.decode(before!, { ...options, previous: undefined } as DecodeOptions);
      const started = performance.now();
      await decoder.decode(after!, { ...options, previous } as DecodeOptions);
      return performance.now() - started;
    },
  };
}

function optionsOf({ format, options, schema }: ReadSetting): object {
  return { format, options, ...(schema !== undefined && { schema }) };
}
