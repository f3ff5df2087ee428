/** msgpackr and cbor-x ship these builds without types. */
declare module 'msgpackr/unpack-no-eval' {
  export { unpack, unpackMultiple } from 'msgpackr/unpack';
}
declare module 'cbor-x/decode-no-eval' {
  export { decode, decodeMultiple } from 'cbor-x/decode';
}
