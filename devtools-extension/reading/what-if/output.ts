const encoder = new TextEncoder();

/** A growing list of bytes. */
export class Output {
  bytes = new Uint8Array(1024);
  view = new DataView(this.bytes.buffer);
  length = 0;

  /** Makes room for so many bytes more. Returns where they begin. */
  take(count: number): number {
    const at = this.length;
    this.length += count;
    if (this.length > this.bytes.length) {
      const grown = new Uint8Array(Math.max(this.bytes.length * 2, this.length));
      grown.set(this.bytes);
      this.bytes = grown;
      this.view = new DataView(grown.buffer);
    }
    return at;
  }

  byte(value: number): void {
    const at = this.take(1);
    this.bytes[at] = value;
  }

  all(bytes: Uint8Array): void {
    const at = this.take(bytes.length);
    this.bytes.set(bytes, at);
  }

  /** Seven bits a byte, the lowest first. */
  varint(value: number | bigint): void {
    if (typeof value === 'number' && value >= 0 && value < 2 ** 53) {
      let rest = value;
      for (; rest > 0x7f; rest = Math.floor(rest / 128)) this.byte((rest % 128) | 0x80);
      this.byte(rest);
      return;
    }
    let rest = BigInt.asUintN(64, BigInt(value));
    for (; rest > 0x7fn; rest >>= 7n) this.byte(Number(rest & 0x7fn) | 0x80);
    this.byte(Number(rest));
  }

  /** The same of 2n, or of −2n − 1 where n is negative. */
  zigzag(value: bigint): void {
    this.varint((value << 1n) ^ (value >> 63n));
  }

  double(value: number, isLittleEndian = true): void {
    const at = this.take(8);
    this.view.setFloat64(at, value, isLittleEndian);
  }

  finish(): Uint8Array<ArrayBuffer> {
    return this.bytes.slice(0, this.length);
  }
}

export function utf8(text: unknown): Uint8Array {
  return encoder.encode(text as string);
}
