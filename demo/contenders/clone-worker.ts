import type { CloneReply, CloneRequest } from './clone-protocol.ts';
import { LIBRARIES } from './libraries.ts';

const reply = (message: CloneReply): void => postMessage(message);

addEventListener('message', ({ data }: MessageEvent<CloneRequest>) => void answer(data));

async function answer({ format, isSequence, payload }: CloneRequest): Promise<void> {
  try {
    const parse = await LIBRARIES[format]!.load();
    const value = parse(new Uint8Array(payload), isSequence);
    reply({ type: 'decoded' });
    reply({ type: 'value', value });
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error));
    reply({ type: 'failed', name, message });
  }
}

reply({ type: 'ready' });
