/** msgpackr ships this build without types. */
declare module 'msgpackr/unpack-no-eval' {
  export { unpack } from 'msgpackr/unpack';
}
