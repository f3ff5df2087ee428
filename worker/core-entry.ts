import { expose } from 'comlink';
import type { AnyFormat } from '../core/format/format.ts';
import type { FormatId } from '../core/format/format-id.ts';
import * as jsonText from '../core/sinks/json/text.ts';
import * as shaping from '../core/shaping.ts';
import * as zstd from '../core/bytes/zstd/zstd.ts';
import type { Code, CodeName, LoadCode } from './code.ts';
import { listenForCompression } from './compress.ts';
import { DecodeService } from './decode-service.ts';

/** The code of formats by their ids: the default exports of modules of `unspool/formats/*`, or functions that import the modules. */
export type ServedFormats = { readonly [Id in FormatId]?: AnyFormat | (() => Promise<{ readonly default: AnyFormat }>) | undefined };

const OTHER: Partial<Code> = { zstd, shaping, 'json-text': jsonText };

/**
 * Makes this worker decode payloads of the named formats for a decoder of `unspool/core`, whose option `createWorker` starts it. Call
 * it once, in the worker's own file.
 *
 * @example
 * import { serve } from 'unspool/worker-core';
 * import json from 'unspool/formats/json';
 * import cbor from 'unspool/formats/cbor';
 *
 * serve({ json, cbor });
 */
export function serve(formats: ServedFormats): void {
  const load = async (name: CodeName): Promise<unknown> => {
    if (name in OTHER) return OTHER[name];
    const format = formats[name as FormatId];
    if (!format) throw new TypeError('name it in the call of serve in the worker');
    return typeof format === 'function' ? await format() : { default: format };
  };
  expose(new DecodeService(load as LoadCode));
  listenForCompression();
}
