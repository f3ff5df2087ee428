import http from 'node:http';
import type { AddressInfo } from 'node:net';

/** A schema of the registry, by its subject and version too. */
export interface RegistrySchema {
  id: number;
  subject: string;
  version: number;
  schema: string;
  schemaType?: 'AVRO' | 'PROTOBUF' | 'JSON';
  guid?: string;
  references?: { name: string; subject: string; version: number }[];
}

/**
 * A server with the part of Confluent's interface that readers use
 * (https://docs.confluent.io/platform/current/schema-registry/develop/api.html): schemas by id, by guid, and by subject and version.
 */
export async function serveRegistry(schemas: readonly RegistrySchema[]): Promise<{ url: string; requests: string[]; close: () => void }> {
  const requests: string[] = [];
  const server = http.createServer((request, response) => {
    const url = request.url ?? '';
    requests.push(url);
    const [, by, key = '', version = ''] =
      /^\/schemas\/(ids|guids)\/([^/]+)$|^\/subjects\/([^/]+)\/versions\/(\d+)\?deleted=true$/
        .exec(url)
        ?.slice()
        .map((part, index, all) => (index === 2 ? (part ?? all[3]) : index === 3 ? all[4] : part)) ?? [];
    const subject = decodeURIComponent(key);
    const found = schemas.find((each) =>
      by === 'ids' ? String(each.id) === key : by === 'guids' ? each.guid === key : each.subject === subject && String(each.version) === version,
    );
    const status = found ? 200 : 404;
    response.writeHead(status, { 'content-type': 'application/vnd.schemaregistry.v1+json', 'access-control-allow-origin': '*' });
    if (!found) {
      response.end(JSON.stringify({ error_code: 40403, message: `Schema ${key} not found` }));
      return;
    }
    const { schema, schemaType, references } = found;
    // Avro's type is left out.
    const content = { schema, ...(schemaType !== undefined && schemaType !== 'AVRO' && { schemaType }), ...(references && { references }) };
    response.end(JSON.stringify(by === undefined ? { subject, version: found.version, id: found.id, ...content } : content));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests, close: () => void server.close() };
}
