import { HEAD_BYTES } from '../../../core/formats/detect.ts';
import { loadFormat } from '../../../core/formats/loaders.ts';
import type { DecodeSettings, DecodeSource, FormatChoice } from '../../call/options/options.ts';
import { type Defaults, prepare, settingOf } from '../../call/prepare.ts';
import { resolveLimits } from '../../../core/limits.ts';
import { checkBeforeOpening, SourceInput } from '../../call/input/source-input.ts';
import type { MadeWriter } from '../make-writer.ts';
import { readFrom, rewrite } from './rewrite.ts';
import { countedTarget } from './counted.ts';
import { type ChunkSource, orAborted } from '../encode-slices.ts';
import { type Put, streamOf } from '../stream-of.ts';

/** Options for reading the source of a transcode, like those of `decode`. */
export type TranscodeSource = FormatChoice & Pick<DecodeSettings, 'limits' | 'reviveTag'>;

/** How the target is written. */
interface Target {
  readonly writing: MadeWriter;
  readonly signal: AbortSignal;
}

/** Parameters of a transcode. */
export interface TranscodeSetting extends Omit<Defaults, 'limits'> {
  /** Options for reading the source. */
  readonly from: TranscodeSource;
  /** Rejects if the transcode cannot begin, such as for a signal that has aborted. */
  readonly writing: Promise<Target>;
}

/** Transcodes a payload of the given, declared or detected format: see `rewrite`. If it cannot begin, cancels the source. */
export async function transcoded(source: DecodeSource, { writing, ...reading }: TranscodeSetting): Promise<ChunkSource> {
  const fail = (reason: unknown): never => {
    const check = (): never => {
      throw reason;
    };
    return checkBeforeOpening({ check }, source) as never;
  };
  const { invalidText = 'error' } = reading.from as Pick<DecodeSettings, 'invalidText'>;
  if (invalidText !== 'error') fail(new TypeError('the option invalidText is not for transcode: decode the payload with it, then encode the value'));
  const target = await writing.catch(fail);
  const bytes = streamOf((put, unwanted) => {
    const signal = AbortSignal.any([target.signal, unwanted]);
    // An iterator may never give its next chunk.
    return orAborted(transcodeInto(source, { ...reading, writing: target.writing, signal }, put), signal);
  });
  const reader = bytes.getReader();
  return { next: async () => (await reader.read()).value, cancel: (reason) => reader.cancel(reason) };
}

async function transcodeInto(source: DecodeSource, setting: Omit<TranscodeSetting, 'writing'> & Target, put: Put): Promise<void> {
  const { writing, signal } = setting;
  const input = new SourceInput(source, {}, () => 0);
  await readFrom(input, signal, async () => {
    const defaults = { ...setting, limits: resolveLimits(setting.from.limits) };
    const prepared = prepare(defaults, source, setting.from, await input.head(HEAD_BYTES), input.ended ? input.received : undefined);
    const format = await loadFormat(prepared.entry.id);
    if (prepared.schema) await setting.schemas.compile(prepared.schema, format);
    await rewrite(input, { reading: settingOf(prepared, format), revive: prepared.revive, writing, signal, counted: countedTarget }, put);
  });
}
