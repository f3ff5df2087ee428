import { room } from '../../bytes/output.ts';
import type { Limits } from '../../limits.ts';
import { RecordIds, type RecordNumbers } from '../../writing/record-ids.ts';
import { SharedValues } from '../../writing/shared-values.ts';
import { type BundleForm, StringBundle } from '../../writing/string-bundle.ts';
import type { FormatWriter } from '../../writing/writer.ts';
import { CoreWriter, type RareValues } from './write/core-writer.ts';
import type { MessagePackWriteOptions } from './options.ts';
import { extensionHead } from './write/heads.ts';
import { writeString } from './write/strings.ts';

export type { MessagePackClass, MessagePackWriteOptions } from './options.ts';

/** The first byte of an id starts from here. */
const FIRST = 0x40;
/** If ids of two bytes are used, those from this number on are. */
const FIRST_PAIR = 0x60;

/** msgpackr's records: see `Records`. An id of two bytes is 256 times the first plus the second. */
const RECORD_NUMBERS: RecordNumbers = {
  most: 8_192,
  mostShared: 8_160,
  defaults: (shares) => (shares ? { shared: 32, own: 32 } : { shared: 0, own: 64 }),
  ids(shared, own) {
    const hasPairs = shared > 32 || shared + own > 64;
    return (number) => {
      const id = FIRST + number;
      if (!hasPairs || id < FIRST_PAIR) return id;
      return ((FIRST_PAIR + ((id - FIRST_PAIR) & 31)) << 8) | ((id - FIRST_PAIR) >> 5);
    };
  },
};

/** msgpackr's bundled strings: see `BundledStrings`. A bundle fits in an extension with a 16-bit length. */
const BUNDLE_FORM: BundleForm = {
  most: 0x5500,
  longest: 0x1000,
  pointer: (before, at) => extensionHead(before < 0 ? 4 : 4 + before, 0x62, room(at, 8)),
  bias: 0,
  string: writeString,
  headSize: (bytes) => (bytes < 32 ? 1 : bytes < 0x100 ? 2 : 3),
};

const RARE: RareValues = {
  records: (options) => RecordIds.of(options, RECORD_NUMBERS),
  bundle: () => new StringBundle(BUNDLE_FORM),
  SharedValues,
};

/** Writes MessagePack with every option: see `CoreWriter`. */
class MessagePackWriter extends CoreWriter {
  constructor(options: MessagePackWriteOptions, limits: Limits) {
    super(options, limits, RARE);
  }
}

/** Writes MessagePack: see `MessagePackWriter`. */
const messagepackEncoder: FormatWriter<MessagePackWriteOptions> = {
  id: 'messagepack',
  createWriter: (options, limits) => new MessagePackWriter(options, limits),
};

export default messagepackEncoder;
