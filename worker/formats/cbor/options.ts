import type { PackedValues } from './packed.ts';

/** How CBOR is read. What is left out has the value named first. */
export interface CborOptions {
  /**
   * What a map (major type 5) becomes. `auto`: a plain object where its first key is a text string, which the other keys
   * then must be too, a Map elsewhere. `object`: a plain object, whose keys that are numbers, booleans, null or undefined
   * become strings. `map`: a Map. Default `auto`.
   */
  maps?: 'auto' | 'object' | 'map';
  /**
   * What integers of 8 bytes become: a number within ±(2⁵³ − 1) and a bigint beyond (`auto`), the nearest number, a
   * bigint, or decimal text. Bignums (tags 2 and 3) are bigints with `auto`. Default `auto`.
   */
  int64?: 'auto' | 'number' | 'bigint' | 'string';
  /**
   * What 32-bit floats become: the number itself, or the shortest of about seven decimal digits that it stands for, as
   * cbor-x reads them with `useFloat32: DECIMAL_ROUND` or `DECIMAL_FIT`. Default `exact`.
   */
  float32?: 'exact' | 'decimal';
  /**
   * What decimal fractions and bigfloats (tags 4 and 5, RFC 8949 section 3.4.4) become: the nearest number, or a CborTag
   * with `[exponent, mantissa]`. Default `number`.
   */
  decimals?: 'number' | 'tag';
  /**
   * What embedded CBOR (tag 24, RFC 8949 section 3.4.5.1) becomes: a CborTag with its bytes, or the value that they
   * encode. Default `tag`.
   */
  embedded?: 'tag' | 'value';
  /**
   * Understands the tags that cbor-x writes: records (0xdffe to 0xffff and 105), packed values (51, 6 and simple values
   * up to 15), bundled strings (0xdff9, 14, 15), shared and cyclic values (28, 29), Map (259), RegExp and Error (27).
   * `false` leaves these to the application, as CborTag. Default true.
   */
  cborx?: boolean;
  /** The record structures that the writer shares with its readers (cbor-x's `structures`): lists of keys by number. */
  structures?: readonly (readonly string[] | null | undefined)[];
  /**
   * The packed values that the writer shares with its readers (cbor-x's `sharedValues`). Where it also has `pack`, 16
   * empty places come first.
   */
  packedValues?: PackedValues;
  /** The input is any number of values one after the other (RFC 8742); the result is an array of them. Default false. */
  sequence?: boolean;
  /**
   * Rejects what is not deterministically encoded: shortest forms, definite lengths, and keys in the order of their bytes
   * (`bytewise`, RFC 8949 section 4.2.1) or of their length first (`length-first`, section 4.2.3). The whole input is
   * checked before any of it is read. Default: not checked.
   */
  deterministic?: 'bytewise' | 'length-first' | false;
}
