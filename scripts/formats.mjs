import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.mjs';

const [ids = '', forms = ''] = readFileSync(join(ROOT, 'core/format/format-id.ts'), 'utf8').split('NAMED_FORM_IDS');
const namesIn = (/** @type {string} */ text) => [...text.matchAll(/'(\w+)'/g)].map(([, id]) => String(id));

/** Ids of the formats, in the order of their preference: the lines of `core/format/format-id.ts`. Each has a folder in `core/formats`. */
export const FORMATS = namesIn(ids);

/** Ids of the other forms of formats, which have a folder as well. */
export const NAMED_FORMS = namesIn(forms.split(']')[0] ?? '');

/** Formats whose code is in the files of the library itself: the worker, and the encoder. */
export const BUILT_IN = ['json', 'messagepack'];
