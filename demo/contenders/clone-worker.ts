import { unpack } from 'msgpackr/unpack-no-eval';
import type { CloneReply, CloneRequest } from './clone-protocol.ts';

const reply = (message: CloneReply): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<CloneRequest>) => {
  try {
    const value: unknown = data.format === 'json' ? JSON.parse(new TextDecoder().decode(data.payload)) : unpack(new Uint8Array(data.payload));
    reply({ type: 'decoded' });
    reply({ type: 'value', value });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    reply({ type: 'failed', name, message });
  }
});

reply({ type: 'ready' });
