import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

/** Ids of the formats, in the order of their preference: the lines of `core/format/format-id.ts`. Each has a folder in `core/formats`. */
export const FORMATS = [...readFileSync(join(ROOT, 'core/format/format-id.ts'), 'utf8').matchAll(/^ {2}'(\w+)',$/gm)].map(([, id]) => String(id));

/** Formats whose code is in the files of the library itself: the worker, and the encoder. */
export const BUILT_IN = ['json', 'messagepack'];
