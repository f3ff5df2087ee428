/** Receives the pieces of a result: the parts of a block, or JSON text. */
export interface Consumer {
  /** Takes the next piece. If it returns a promise, the next piece waits for it. */
  take(piece: ArrayBuffer): Promise<void> | undefined;
  /** True once pieces were sent to the page and cannot be withdrawn. */
  readonly begun: boolean;
  /** Drops the pieces so far; they will be sent again. */
  drop(): void;
}

/** Decodes a body: passes all pieces to a consumer, and then resolves. */
export type Decode = (consumer: Consumer) => Promise<void>;

/** Collects all pieces. */
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
