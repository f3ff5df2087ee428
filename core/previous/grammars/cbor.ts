import { counted, type ReadToken, unsigned } from './counted.ts';
import { type Grammar, UNKNOWN } from './grammar.ts';

/** Highest tag whose value depends on its content alone: dates, bignums, decimal fractions and bigfloats (RFC 8949 section 3.4). */
const LAST_PLAIN_TAG = 5;
/** The same for typed arrays (RFC 8746 section 2), with which cbor-x writes binaries. */
const FIRST_ARRAY_TAG = 64;
const LAST_ARRAY_TAG = 87;

/** Reads the head of a data item: its length, and the number of values that it contains. */
const token: ReadToken = (bytes, at, result) => {
  const first = bytes[at]!;
  const major = first >> 5;
  const short = first & 31;
  // Indefinite lengths are decoded as usual.
  if (short > 27) throw UNKNOWN;
  const end = short < 24 ? at + 1 : at + 1 + (1 << (short - 24));
  result.kind = 'scalar';
  result.values = 0;
  result.end = end;
  if (major < 2) return;
  if (major === 7) {
    // False, true, null, undefined and floats: other simple values may be packed ones.
    if ((first < 0xf4 || first > 0xf7) && first < 0xf9) throw UNKNOWN;
    return;
  }
  const argument = short < 24 ? short : unsigned(bytes, at + 1, 1 << (short - 24));
  if (major < 4) {
    result.end = end + argument;
    if (major === 3) {
      result.kind = 'text';
      result.from = end;
    }
  } else if (major === 6) {
    // Records, shared, bundled and packed values refer to other bytes.
    if (argument > LAST_PLAIN_TAG && (argument < FIRST_ARRAY_TAG || argument > LAST_ARRAY_TAG)) throw UNKNOWN;
    result.values = 1;
  } else {
    result.kind = major === 4 ? 'list' : 'object';
    result.values = argument;
  }
};

/** Arrays and maps of CBOR (RFC 8949) of definite length. */
export const cborGrammar: Grammar = counted(token);
