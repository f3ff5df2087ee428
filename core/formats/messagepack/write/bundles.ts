import { room } from '../../../bytes/output.ts';
import type { BundleForm } from '../../../writing/string-bundle.ts';
import { extensionHead } from '../heads.ts';
import { writeString } from './strings.ts';

/** msgpackr's bundled strings: see `BundledStrings`. A bundle fits in an extension with a 16-bit length. */
export const BUNDLE_FORM: BundleForm = {
  most: 0x5500,
  longest: 0x1000,
  pointer: (before, at) => extensionHead(before < 0 ? 4 : 4 + before, 0x62, room(at, 8)),
  extra: 0,
  string: writeString,
  headSize: (bytes) => (bytes < 32 ? 1 : bytes < 0x100 ? 2 : 3),
};
