/** msgpackr ships this build without types of its own. */
declare module 'msgpackr/unpack-no-eval' {
  export { unpack } from 'msgpackr/unpack';
}
