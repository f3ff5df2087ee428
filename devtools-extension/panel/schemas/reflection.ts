import type { Adapter, Body, PageRequest } from '../../adapter/adapter.ts';
import { toBase64 } from '../../adapter/bytes.ts';
import type { ReadingClient } from '../../reading/protocol.ts';
import { descriptorSetOf, namesOfFile, type Question, questionsBody, type Reflected, reflectedIn, WAYS } from '../../reading/schemas/reflection.ts';
import type { SchemaFile } from './schema-files.ts';

/** Path of a call of gRPC, gRPC-Web or Connect: `…/package.Service/Method`. */
const CALL = /^(.*\/)[\w.]+\.\w+\/\w+(?:[?#].*)?$/s;
/** Requests for files that others import: imports are rarely nested deeper. */
const ROUNDS = 10;
/** Largest number of files. */
const MAX_FILES = 5_000;

/** Address under which a server has the services of a call; undefined for other requests. */
export function servicesAddress(url: string): string | undefined {
  return CALL.exec(url)?.[1];
}

/**
 * Asks the server at an address for its schemas by reflection, by requests of the page. Returns them as a file, or the
 * reason for their absence.
 */
export async function askServer(
  address: string,
  origin: string,
  { adapter, client }: { adapter: Adapter; client: ReadingClient },
): Promise<SchemaFile | { problem: string }> {
  for (const { path, contentType } of WAYS) {
    const ask = async (questions: readonly Question[]): Promise<Reflected> => {
      const headers = contentType.includes('connect') ? [{ name: 'connect-protocol-version', value: '1' }] : [{ name: 'x-grpc-web', value: '1' }];
      const request: PageRequest = {
        origin,
        method: 'POST',
        url: address + path,
        headers: [{ name: 'content-type', value: contentType }, ...headers],
        body: questionsBody(questions),
        credentials: 'include',
      };
      const answer: Body = await adapter.ask!(request);
      return 'bytes' in answer ? reflectedIn(answer.bytes) : { services: [], files: [] };
    };
    const { services } = await ask(['services']);
    if (services.length === 0) continue;
    const files = new Map<string, Uint8Array>();
    let questions: Question[] = services.map((symbol) => ({ symbol }));
    for (let round = 0; questions.length > 0 && round < ROUNDS; round += 1) {
      for (const file of (await ask(questions)).files) files.set(namesOfFile(file).name, file);
      const missing = new Set([...files.values()].flatMap((file) => namesOfFile(file).imports).filter((name) => !files.has(name)));
      questions = [...missing].slice(0, MAX_FILES - files.size).map((file) => ({ file }));
    }
    const set = descriptorSetOf(files.values());
    const types = await client.call('schemaTypes', { format: 'protobuf', bytes: set }).catch(() => []);
    if (types.length > 0) return { name: `reflection of ${address}`, format: 'protobuf', base64: toBase64(set), types };
  }
  return { problem: `The server at ${address} does not answer reflection over gRPC-Web or Connect. Its answers are in the list.` };
}
