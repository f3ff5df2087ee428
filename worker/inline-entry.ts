import { expose } from 'comlink';
import type { Code, CodeName, LoadCode } from './code.ts';
import { formatModule } from '../core/formats/loaders.ts';
import { DecodeService } from './decode-service.ts';

// The worker of `main/inline.ts`: one file that contains all code and requests none.
const load = ((name: CodeName) => {
  if (name === 'zstd') return import('../core/bytes/zstd/zstd.ts');
  if (name === 'shaping') return import('../core/shaping.ts');
  return name === 'json-text' ? import('../core/sinks/json/text.ts') : formatModule(name);
}) as (name: CodeName) => Promise<Code[CodeName]>;

expose(new DecodeService(load as LoadCode));
