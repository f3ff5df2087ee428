import type { RecordNumbers } from '../../../writing/record-ids.ts';

/** The first byte of an id starts from here. */
const FIRST = 0x40;
/** If ids of two bytes are used, those from this number on are. */
const FIRST_PAIR = 0x60;

/** msgpackr's records: see `Records`. An id of two bytes is 256 times the first plus the second. */
export const RECORD_NUMBERS: RecordNumbers = {
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
