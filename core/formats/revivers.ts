import type { ReviveTag } from '../reading/revive.ts';
import { reviveBson } from './bson/revive.ts';
import { reviveCbor } from './cbor/revive.ts';
import { reviveMessagePack } from './messagepack/revive.ts';
import type { FormatId } from '../format/format-id.ts';
import { reviveSia } from './sia/revive.ts';

/**
 * Revivers of the formats' own tags, for a page that receives values from a worker and needs no other code of the
 * format.
 */
export const REVIVERS: Readonly<Partial<Record<FormatId, ReviveTag>>> = {
  messagepack: reviveMessagePack,
  cbor: reviveCbor,
  bson: reviveBson,
  sia: reviveSia,
};
