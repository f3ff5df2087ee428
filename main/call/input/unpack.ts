import { type ByteInput, joined } from '../../../core/bytes/byte-input.ts';
import type { Limits } from '../../../core/limits.ts';
import { ZstdUnpacker } from '../../../core/bytes/zstd/zstd.ts';

/** Decompresses a whole payload on this thread. */
export async function unpack(bytes: Uint8Array<ArrayBuffer>, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
  if (bytes.length === 0) return bytes;
  const unpacker = await ZstdUnpacker.load(limits);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const take = (): void => {
    for (let piece = unpacker.next(); piece; piece = unpacker.next()) pieces.push(piece as Uint8Array<ArrayBuffer>);
  };
  unpacker.feed(bytes);
  take();
  unpacker.end();
  take();
  return joined(pieces);
}

/** The first decompressed bytes of an input, to detect its format. The input still gives all its bytes. */
export async function headOf(input: ByteInput, limits: Limits): Promise<Uint8Array<ArrayBuffer>> {
  for (let bytes = 64; ; bytes *= 2) {
    const head = await input.head(bytes);
    const unpacker = await ZstdUnpacker.load(limits);
    unpacker.feed(head);
    const first = unpacker.next();
    if (first || input.ended) return new Uint8Array(first ?? []);
  }
}

/** The decompressed chunks of an input. */
export async function unpacked(input: ByteInput, limits: Limits): Promise<Pick<ByteInput, 'next' | 'cancel'>> {
  const unpacker = await ZstdUnpacker.load(limits);
  let ended = false;
  return {
    async next() {
      for (;;) {
        const bytes = unpacker.next();
        if (bytes || ended) return bytes as Uint8Array<ArrayBuffer> | undefined;
        const chunk = await input.next();
        if (chunk) unpacker.feed(chunk);
        else {
          unpacker.end();
          ended = true;
        }
      }
    },
    cancel: (reason) => input.cancel(reason),
  };
}
