// Written by `scripts/generate/unrolled.mjs`.
//
// A call of the TextDecoder costs more than the bytes of a short string, and V8 makes no intermediate list if
// `String.fromCharCode` is called with one argument per byte. Benchmark: --engine-switches, `shortAscii`.

const char = String.fromCharCode;

/** Makes a string of `length` ASCII bytes from `p` on; undefined if `length` is 0 or above 24. */
export function shortAscii(b: Uint8Array, p: number, length: number): string | undefined {
  switch (length) {
    case 1:
      return char(b[p]!);
    case 2:
      return char(b[p]!, b[p + 1]!);
    case 3:
      return char(b[p]!, b[p + 1]!, b[p + 2]!);
    case 4:
      return char(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!);
    case 5:
      return char(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!);
    case 6:
      return char(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!);
    case 7:
      return char(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!);
    case 8:
      return char(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!);
    case 9:
      return char(b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!);
    case 10:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
      );
    case 11:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!,
      );
    case 12:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!,
      );
    case 13:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!,
      );
    case 14:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!,
      );
    case 15:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!,
      );
    case 16:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!,
      );
    case 17:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!, b[p + 16]!,
      );
    case 18:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!, b[p + 16]!, b[p + 17]!,
      );
    case 19:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!, b[p + 16]!, b[p + 17]!, b[p + 18]!,
      );
    case 20:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!, b[p + 16]!, b[p + 17]!, b[p + 18]!, b[p + 19]!,
      );
    case 21:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!, b[p + 16]!, b[p + 17]!, b[p + 18]!, b[p + 19]!,
        b[p + 20]!,
      );
    case 22:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!, b[p + 16]!, b[p + 17]!, b[p + 18]!, b[p + 19]!,
        b[p + 20]!, b[p + 21]!,
      );
    case 23:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!, b[p + 16]!, b[p + 17]!, b[p + 18]!, b[p + 19]!,
        b[p + 20]!, b[p + 21]!, b[p + 22]!,
      );
    case 24:
      return char(
        b[p]!, b[p + 1]!, b[p + 2]!, b[p + 3]!, b[p + 4]!, b[p + 5]!, b[p + 6]!, b[p + 7]!, b[p + 8]!, b[p + 9]!,
        b[p + 10]!, b[p + 11]!, b[p + 12]!, b[p + 13]!, b[p + 14]!, b[p + 15]!, b[p + 16]!, b[p + 17]!, b[p + 18]!, b[p + 19]!,
        b[p + 20]!, b[p + 21]!, b[p + 22]!, b[p + 23]!,
      );
    default:
      return undefined;
  }
}
