import type { Exchange } from '../../adapter/adapter.ts';

/** Size up to which request bodies are parsed. */
const MAX_BYTES = 200_000;

/**
 * Name of the operation of a GraphQL request (https://graphql.github.io/graphql-over-http/draft/), or of a gRPC or Connect
 * call, which the URL contains.
 */
export async function operationOf(exchange: Exchange): Promise<string | undefined> {
  const type = exchange.requestHeaders.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  const rpc = /\/(?:[\w.]+\.)?(\w+\/\w+)(?:\?|$)/.exec(exchange.url);
  const isRpc =
    /[?&]connect=v1(?:&|$)/.test(exchange.url) ||
    /^application\/(?:grpc|connect|proto\b)/i.test(type) ||
    exchange.requestHeaders.some(({ name }) => /^connect-protocol-version$/i.test(name));
  if (rpc && isRpc) return rpc[1];
  const asked = /[?&](?:query|operationName)=/.test(exchange.url) ? inAddress(exchange.url) : undefined;
  if (asked !== undefined || !exchange.requestBody || !/json|graphql/i.test(type)) return asked;
  const body = await exchange.requestBody();
  if ('missing' in body || body.bytes.length > MAX_BYTES) return undefined;
  try {
    return graphqlOperation(JSON.parse(new TextDecoder().decode(body.bytes)));
  } catch {
    return undefined;
  }
}

function inAddress(url: string): string | undefined {
  const parameters = new URLSearchParams(url.slice(url.indexOf('?') + 1));
  return graphqlOperation({ operationName: parameters.get('operationName') ?? undefined, query: parameters.get('query') ?? undefined });
}

/** Name of a GraphQL operation, otherwise its kind and first field. A batch yields several. */
export function graphqlOperation(request: unknown): string | undefined {
  if (Array.isArray(request)) {
    const names = request.map(graphqlOperation).filter((name) => name !== undefined);
    return names.length === 0 ? undefined : names.join(', ');
  }
  const { operationName, query } = (request ?? {}) as { operationName?: unknown; query?: unknown };
  if (typeof query !== 'string' || !/^\s*(?:#[^\n]*\n\s*)*(?:query|mutation|subscription|fragment|\{)/.test(query)) return undefined;
  if (typeof operationName === 'string' && operationName !== '') return operationName;
  const [, kind = 'query', name] = /\b(query|mutation|subscription)\b\s*(\w+)?/.exec(query) ?? [];
  return name ?? `${kind} ${/\{\s*(?:\w+\s*:\s*)?(\w+)/.exec(query)?.[1] ?? ''}`.trim();
}
