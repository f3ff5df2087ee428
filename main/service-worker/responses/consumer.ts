/** Where the pieces of a result go: the parts of a block, or JSON text. */
export interface Consumer {
  /** Takes the next piece. Where it returns a promise, the next piece waits for it. */
  take(piece: ArrayBuffer): Promise<void> | undefined;
  /** Whether pieces have left for the page, so that they cannot be taken back. */
  readonly begun: boolean;
  /** Drops the pieces so far: they come again. */
  drop(): void;
}

/** Decodes a body: gives all pieces to an consumer, and then resolves. */
export type Decode = (consumer: Consumer) => Promise<void>;

/** Keeps the pieces until all are there. */
export class Collector implements Consumer {
  readonly pieces: ArrayBuffer[] = [];
  readonly begun = false;

  take(piece: ArrayBuffer): undefined {
    this.pieces.push(piece);
  }

  drop(): void {
    this.pieces.length = 0;
  }
}
