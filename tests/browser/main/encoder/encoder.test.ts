import { describe, expect, it } from 'vitest';
import { createEncoder } from '../../../../main/encode.ts';
import { createDecoder } from '../../../../main/index.ts';
import { assertSame } from '../../../setup/ways/differential.ts';
import { STREAM } from '../../../setup/servers/stream-rows.ts';

const rows = Array.from({ length: 40_000 }, (_, id) => ({ id, name: `station ${id} é`, at: { x: id / 3, y: -id } }));

async function inflate(bytes: BlobPart, format: CompressionFormat): Promise<string> {
  return await new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream(format))).text();
}

describe('an encoder in a page', () => {
  it.each(['gzip', 'deflate'] as const)('compresses with %s in a worker', async (compression) => {
    const encoder = createEncoder();
    const bytes = await encoder.encode(rows, { format: 'json', compression });
    expect(await inflate(bytes, compression)).toBe(JSON.stringify(rows));
    expect(bytes.length).toBeLessThan(JSON.stringify(rows).length / 3);
    encoder.close();
  });

  it('compresses several values concurrently, and a slowly read stream', async () => {
    const encoder = createEncoder();
    const values = [rows, rows.slice(0, 10), { rows }, []];
    const all = await Promise.all(values.map((value) => encoder.encode(value, { format: 'json', compression: 'gzip' })));
    expect(await Promise.all(all.map((bytes) => inflate(bytes, 'gzip')))).toEqual(values.map((value) => JSON.stringify(value)));
    const chunks: Uint8Array<ArrayBuffer>[] = [];
    const reader = encoder.stream(rows, { format: 'json', compression: 'gzip' }).getReader();
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      chunks.push(read.value);
      await new Promise((resolve) => setTimeout(resolve));
    }
    expect(await inflate(await new Blob(chunks).arrayBuffer(), 'gzip')).toBe(JSON.stringify(rows));
    encoder.close();
  });

  it('streams the same bytes to pipes, to both branches of a tee, and to BYOB readers', async () => {
    const encoder = createEncoder();
    const text = JSON.stringify(rows);
    const stream = (): ReadableStream<Uint8Array<ArrayBuffer>> => encoder.stream(rows, { format: 'json' });
    const piped = stream().pipeThrough(new CompressionStream('gzip')).pipeThrough(new DecompressionStream('gzip'));
    expect(await new Response(piped).text()).toBe(text);
    expect(
      await Promise.all(
        stream()
          .tee()
          .map((branch) => new Response(branch).text()),
      ),
    ).toEqual([text, text]);
    const searchesBytes = 'ReadableByteStreamController' in globalThis;
    const reader = searchesBytes ? stream().getReader({ mode: 'byob' }) : stream().getReader();
    const parts: Blob[] = [];
    for (;;) {
      const { done, value } = await reader.read(new Uint8Array(100_000));
      if (done) break;
      if (searchesBytes) expect(value.buffer.byteLength).toBe(100_000);
      parts.push(new Blob([value]));
    }
    expect(await new Blob(parts).text()).toBe(text);
  });

  it('posts a complete body with its type', async () => {
    const encoder = createEncoder();
    const body = await encoder.body(rows, { format: 'json' });
    const answer = await fetch(`${STREAM}?echo=1`, { method: 'POST', body });
    expect(await answer.json()).toMatchObject({ method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(rows) });
    expect(body.size).toBe(new TextEncoder().encode(JSON.stringify(rows)).length);
    expect(await body.text()).toBe(JSON.stringify(rows));
  });

  it('rejects if the compression worker cannot be loaded, and starts another for the next call', async () => {
    const missing = (): Worker => new Worker('/no-such-worker.js', { type: 'module' });
    let calls = 0;
    const encoder = createEncoder({ createWorker: () => ((calls += 1), missing()) });
    await expect(encoder.encode(rows, { format: 'json', compression: 'gzip' })).rejects.toMatchObject({ name: 'WorkerCrashError' });
    await expect(encoder.encode(rows, { format: 'json', compression: 'gzip' })).rejects.toMatchObject({ name: 'WorkerCrashError' });
    expect(calls).toBe(2);
  });

  it('rejects with the error of the value, and when it is closed', async () => {
    const encoder = createEncoder();
    const bad = encoder.encode([rows, 1n], { format: 'json', compression: 'gzip' });
    await expect(bad).rejects.toMatchObject({ name: 'EncodeError', code: 'unsupported', path: [1] });
    const closed = encoder.encode(rows, { format: 'json', compression: 'gzip', onProgress: () => encoder.close() });
    await expect(closed).rejects.toMatchObject({ name: 'AbortError' });
  });
});

describe('an encoder that sends messages', () => {
  const open = (): WebSocket => Object.assign(new WebSocket(`ws://${location.host}/echo-socket`), { binaryType: 'arraybuffer' });

  it('sends small and large values over a WebSocket in order, held back by what it buffers, and decodes them from its echo', async () => {
    const decoder = createDecoder();
    const encoder = createEncoder();
    const socket = open();
    const values = Array.from({ length: 60 }, (_, id) => ({ id, rows: id % 20 === 7 ? rows.slice(0, 8_000) : [] }));
    const taken: unknown[] = [];
    const echoed = (async () => {
      for await (const value of decoder.messages(socket)) if (taken.push(value) === values.length) break;
    })();
    const formats = ['json', 'messagepack'] as const;
    await Promise.all(values.map((value) => encoder.send(socket, value, { format: formats[value.id % 2]!, limitBytes: 1_000 })));
    await echoed;
    assertSame(taken, values);
    socket.close();
    await expect(encoder.send(socket, 1, { format: 'json' })).rejects.toMatchObject({ name: 'NetworkError' });
    decoder.close();
  });

  it.runIf(typeof RTCPeerConnection === 'function')('sends values over a data channel', async () => {
    const [one, other] = [new RTCPeerConnection(), new RTCPeerConnection()];
    one.addEventListener('icecandidate', ({ candidate }) => candidate && void other.addIceCandidate(candidate));
    other.addEventListener('icecandidate', ({ candidate }) => candidate && void one.addIceCandidate(candidate));
    const channel = one.createDataChannel('values');
    const values = Array.from({ length: 20 }, (_, id) => ({ id, text: 'x'.repeat(10_000) }));
    const texts = new Promise<unknown[]>((resolve) => {
      other.addEventListener('datachannel', ({ channel: end }) => {
        const all: unknown[] = [];
        end.addEventListener('message', ({ data }) => all.push(JSON.parse(data as string)) === values.length && resolve(all));
      });
    });
    await one.setLocalDescription(await one.createOffer());
    await other.setRemoteDescription(one.localDescription!);
    await other.setLocalDescription(await other.createAnswer());
    await one.setRemoteDescription(other.localDescription!);
    const encoder = createEncoder();
    await Promise.all(values.map((value) => encoder.send(channel, value, { format: 'json', limitBytes: 20_000 })));
    expect(await texts).toEqual(values);
    one.close();
    other.close();
  });
});
