/** Builds Avro data by hand. */
export class Bytes {
  readonly list: number[] = [];

  long(value: bigint | number): this {
    const exact = BigInt(value);
    let rest = BigInt.asUintN(64, (exact << 1n) ^ (exact >> 63n));
    for (; rest >= 0x80n; rest >>= 7n) this.list.push(Number(rest & 0x7fn) | 0x80);
    this.list.push(Number(rest));
    return this;
  }

  bytes(bytes: Iterable<number>): this {
    for (const byte of bytes) this.list.push(byte);
    return this;
  }

  /** Length-prefixed. */
  string(content: string | Uint8Array): this {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    return this.long(bytes.length).bytes(bytes);
  }

  done(): Uint8Array {
    return Uint8Array.from(this.list);
  }
}

export const SYNC = Uint8Array.from({ length: 16 }, (_, i) => 0xf0 + i);

/** A container with the given blocks: their stored bytes and the number of their data. A schema may be given as `{ text }`. */
export function container(schema: unknown, codec: string | undefined, blocks: readonly { count: number | bigint; data: Uint8Array }[]): Uint8Array {
  const text = (schema as { text?: string }).text ?? JSON.stringify(schema);
  const bytes = new Bytes().bytes([0x4f, 0x62, 0x6a, 0x01]);
  bytes
    .long(codec === undefined ? 1 : 2)
    .string('avro.schema')
    .string(text);
  if (codec !== undefined) bytes.string('avro.codec').string(codec);
  bytes.long(0).bytes(SYNC);
  for (const { count, data } of blocks) bytes.long(count).string(data).bytes(SYNC);
  return bytes.done();
}
