/** msgpackr ships this build without types of its own. */
declare module 'msgpackr/index-no-eval' {
  export { Packr } from 'msgpackr';
}
