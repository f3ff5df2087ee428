/** Requests to this path are answered here, and all others by Vite. */
export const PATH = '/answer';

const TEXT = 'Two trips leave Station 7 before noon. I look up whether bikes are free for them.';
const ARGUMENTS = '{"station":"Station 7","bikes":2}';
const PIECE_MS = 80;

/** Pieces of a text, of a few characters each. */
const pieces = (text: string): string[] => text.match(/.{1,6}/gs) ?? [];

/** Parts of an answer in the format of Chat Completions: the text, then a call of a tool. */
function* deltas(): Generator<object> {
  for (const content of pieces(TEXT)) yield { content };
  yield { tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'find_bikes', arguments: '' } }] };
  for (const text of pieces(ARGUMENTS)) yield { tool_calls: [{ index: 0, function: { arguments: text } }] };
}

/** Streams an answer as a language model's server does, piece by piece. */
export async function handle(_request: Request): Promise<Response> {
  const encoder = new TextEncoder();
  const parts = deltas();
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { value, done } = parts.next();
      const event = done ? '[DONE]' : JSON.stringify({ choices: [{ index: 0, delta: value, finish_reason: null }] });
      await new Promise((resolve) => setTimeout(resolve, PIECE_MS));
      controller.enqueue(encoder.encode(`data: ${event}\n\n`));
      if (done) controller.close();
    },
  });
  return new Response(body, { headers: { 'Content-Type': 'text/event-stream' } });
}
