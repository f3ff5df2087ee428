declare const encodeBench: import('./harness.js').EncodeBench;
/** What a place has for the harness: Node both, a page none of them. */
declare const encodePlace:
  | {
      /** Milliseconds that the garbage collector ran between two times. */
      garbageTime(from: number, to: number): Promise<number>;
      /** A file's text. */
      readText(path: string): Promise<string>;
    }
  | undefined;
