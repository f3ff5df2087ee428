import { out, room, view } from '../../../bytes/output.ts';
import type { RecordNumbers } from '../../../writing/record-ids.ts';
import type { BundleForm } from '../../../writing/string-bundle.ts';
import { headSize } from './heads.ts';
import { writeString } from './strings.ts';

/** The tag of record number 0. */
const FIRST_TAG = 0xe000;

/** cbor-x's records: see `Records`. An id is the tag. */
export const RECORD_NUMBERS: RecordNumbers = {
  most: 8_192,
  mostShared: 8_190,
  defaults: (shares) => ({ shared: shares ? 128 : 0, own: shares ? 128 : 256 }),
  ids: () => (number) => FIRST_TAG + number,
};

/** cbor-x's bundled strings: see `BundledStrings`. */
export const BUNDLE_FORM: BundleForm = {
  most: 0xf000,
  longest: 0x400,
  pointer(before, at) {
    at = room(at, 9);
    out[at] = 0xd9;
    view.setUint16(at + 1, 0xdff9);
    view.setUint16(at + 3, before < 0 ? 0x821a : 0x841a);
    return at + 5;
  },
  bias: 1,
  string: writeString,
  headSize,
};
