/** An answer of Gemini equals the one of its official client, which brings 40 packages and is therefore installed here alone. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDecoder } from '../../main/decoder/create-decoder.ts';
import { canInstall, install } from '../setup/build/npm.ts';
import { streamOf } from '../unit/main/live/answer/stream-of.ts';

/** The part of the client that is used here. */
interface Client {
  models: { generateContentStream(request: { model: string; contents: string }): Promise<AsyncIterable<Chunk>> };
}
interface Chunk {
  readonly candidates?: { readonly content?: { readonly parts?: readonly Part[] }; readonly finishReason?: string }[];
  readonly usageMetadata?: object;
}
interface Part {
  readonly text?: string;
  readonly thought?: boolean;
  readonly functionCall?: { readonly id: string; readonly name: string; readonly args: object };
}

describe.skipIf(!(await canInstall()))('an answer equals the one of @google/genai', () => {
  const decoder = createDecoder();
  let folder: string;
  let server: Server;
  let origin: string;
  let client: (kind: string) => Client;

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'unspool-gemini-'));
    await writeFile(join(folder, 'package.json'), '{}');
    await install(folder, '@google/genai@1');
    server = createServer((request, response) => {
      request.resume();
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(streamOf('gemini', request.url!.split('/')[1] as 'value'));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const { GoogleGenAI } = createRequire(join(folder, 'package.json'))('@google/genai') as { GoogleGenAI: new (options: object) => Client };
    client = (kind) => new GoogleGenAI({ apiKey: 'none', httpOptions: { baseUrl: `${origin}/${kind}` } });
  });

  afterAll(async () => {
    server.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** Returns all parts that the client gives of a stream, and the last reason to stop and usage. */
  async function theirs(kind: string): Promise<{ parts: Part[]; stop: string | undefined; usage: object | undefined }> {
    const parts: Part[] = [];
    let stop: string | undefined;
    let usage: object | undefined;
    for await (const { candidates: [candidate] = [], usageMetadata } of await client(kind).models.generateContentStream({
      model: 'gemini',
      contents: 'Hello',
    })) {
      parts.push(...(candidate?.content?.parts ?? []));
      stop = candidate?.finishReason ?? stop;
      usage = usageMetadata ?? usage;
    }
    return { parts, stop, usage };
  }

  const textOf = (parts: readonly Part[], isThought: boolean): string =>
    parts.map(({ text = '', thought = false }) => (thought === isThought ? text : '')).join('');

  it('with its text, its reasoning, its calls, its usage and why it stopped', async () => {
    const { parts, stop, usage } = await theirs('calls');
    let own: unknown;
    for await (own of decoder.partial(await fetch(`${origin}/calls`), { delta: 'gemini', parts: true }));
    expect(own).toMatchObject({ text: textOf(parts, false), reasoning: textOf(parts, true), stop, usage });
    const calls = parts.flatMap(({ functionCall: call }) => (call ? [{ id: call.id, name: call.name, arguments: call.args, complete: true }] : []));
    expect(calls).toHaveLength(2);
    expect((own as { calls: object[] }).calls).toMatchObject(calls);
  });

  it('with the value that its text is', async () => {
    const { parts } = await theirs('value');
    let own: unknown;
    for await (own of decoder.partial(await fetch(`${origin}/value`), { delta: 'gemini' }));
    expect(own).toEqual(JSON.parse(textOf(parts, false)));
  });
});
