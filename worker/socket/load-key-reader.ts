import type { AnyFormat } from '../../core/format/format.ts';
import { keyReader } from '../../core/messages/key-reader.ts';
import { readAtOnce } from '../../core/slicing/reader-slices.ts';
import type { LoadModule } from '../load-service.ts';
import type { KeySetting } from './protocol.ts';

/** Loads the code that reads the keys of messages. */
export async function loadKeyReader({ path, format: id, url, ...setting }: KeySetting, load: LoadModule): Promise<(data: unknown) => unknown> {
  if (url === undefined) return keyReader(path);
  const { default: format } = (await load(id, url)) as { default: AnyFormat };
  return keyReader(path, (bytes) => readAtOnce({ id, format, ...setting }, bytes, undefined));
}
