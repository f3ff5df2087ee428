/** Asks a worker to compress the chunks sent over a port. */
export interface CompressorRequest {
  kind: 'compress';
  /** A format of CompressionStream. */
  format: 'gzip' | 'deflate';
  port: MessagePort;
}

/** Messages over the port: chunks in both directions; the number of input bytes taken; the end, or the failure. */
export type CompressorMessage =
  | { kind: 'chunk'; bytes: Uint8Array<ArrayBuffer> }
  | { kind: 'taken'; bytes: number }
  | { kind: 'end' }
  | { kind: 'failed'; message: string };

/** Compresses chunks sent over ports. */
export function listenForCompression(): void {
  addEventListener('message', ({ data }: MessageEvent<Partial<CompressorRequest> | undefined>) => {
    if (data?.kind === 'compress') void compress(data as CompressorRequest);
  });
}

async function compress({ format, port }: CompressorRequest): Promise<void> {
  const say = (message: CompressorMessage, transfer: Transferable[] = []): void => port.postMessage(message, transfer);
  try {
    const { readable, writable } = new CompressionStream(format);
    const writer = writable.getWriter();
    port.onmessage = ({ data }: MessageEvent<CompressorMessage>) => {
      if (data.kind === 'end') writer.close().catch(() => {});
      if (data.kind !== 'chunk') return;
      const { length } = data.bytes;
      writer.write(data.bytes).then(
        () => say({ kind: 'taken', bytes: length }),
        () => {},
      );
    };
    const reader = readable.getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      // Engines may return views of a larger buffer.
      const bytes = read.value.slice();
      say({ kind: 'chunk', bytes }, [bytes.buffer]);
    }
    say({ kind: 'end' });
  } catch (error) {
    say({ kind: 'failed', message: String(error) });
  } finally {
    port.close();
  }
}
