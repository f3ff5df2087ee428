import { loadSchemaCode, LOADERS } from '../../core/formats/loaders.ts';
import { addFormats } from '../call/formats.ts';
import { FILES } from '../pool/code-files.ts';
import { addFiles } from '../pool/code-requests.ts';
import type { DecoderCode } from './decoder.ts';

/** The code of every format, for this thread and for workers. Builds of applications that call it contain all of it. */
export function allCode(): DecoderCode {
  addFormats(LOADERS);
  addFiles(FILES);
  return { loadSchemaCode };
}
