import type { ReadingClient, ReadRequest } from '../../reading/protocol.ts';
import type { BodyStore } from '../body/body-store.ts';
import type { Requests } from '../requests/requests.ts';
import type { Row } from '../requests/row.ts';
import type { SchemaUse } from '../schemas/schema-use.ts';

/** What the session works with. */
export interface SessionSetting {
  client: ReadingClient;
  bodies: BodyStore;
  requests: Requests;
  schemas: SchemaUse;
}

/** What the worker is told of a row's body; undefined where it is not to be had. */
export async function requestOf({ bodies, schemas }: SessionSetting, { exchange, found }: Row): Promise<ReadRequest | undefined> {
  const body = await bodies.read(exchange);
  if ('missing' in body) return undefined;
  const { url, contentType } = exchange;
  return { bytes: body.bytes, contentType, url, format: schemas.formatFor(url), schema: schemas.droppedFor(url), detected: found };
}
