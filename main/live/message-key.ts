import { bytesFrom } from '../../core/bytes/bytes-in.ts';
import { readyFormat } from '../call/formats.ts';
import type { DecoderState } from '../call/decoder-state.ts';
import type { Operation } from '../call/operation.ts';
import type { DecodeOptions, DecodeSettings, FormatChoice } from '../call/options/options.ts';
import { prepare, settingOf, shaping } from '../call/prepare.ts';
import { keyReader } from '../../core/messages/key-reader.ts';
import type { PreparedKey } from './remote.ts';

const NO_BYTES = new Uint8Array(0);
/** The bytes of a message of any source. */
const bytesOf = (data: unknown): Uint8Array => bytesFrom(data, 'text or bytes');

/** A path to the key of messages: as a function for this thread, and as plain data for a worker. */
export interface MessageKey {
  readonly read: (data: unknown) => unknown;
  readonly setting: PreparedKey;
}

/** Loads what reads the keys of messages at a path. Throws what `decode` throws for the options. */
export async function prepareKey(
  core: DecoderState,
  operation: Operation,
  { format, schema, options, limits, invalidText }: FormatChoice & Pick<DecodeSettings, 'limits' | 'invalidText'>,
  key: string | readonly string[],
): Promise<MessageKey> {
  const path = typeof key === 'string' ? key.split('.') : [...key];
  const chosen = format ?? (schema === undefined ? 'json' : undefined);
  const calling = { format: chosen, schema, options, limits, invalidText } as DecodeOptions;
  const prepared = await shaping(operation, prepare(core, NO_BYTES, calling, NO_BYTES), calling);
  const { entry } = prepared;
  if (entry.id === 'json')
    return { read: keyReader(path, undefined, bytesOf), setting: { path, format: 'json', options: {}, limits: prepared.limits, schema: undefined } };
  const { format: code, readers } = await readyFormat(core, operation, prepared);
  const setting = settingOf(prepared, code);
  return {
    read: keyReader(path, (bytes) => readers.readAtOnce(setting, bytes, prepared.revive), bytesOf),
    setting: { path, format: entry.id, options: setting.options, limits: setting.limits, schema: setting.schema },
  };
}
