import { sniff as avro } from './avro/about.ts';
import { sniff as bson } from './bson/about.ts';
import { sniff as cbor } from './cbor/about.ts';
import type { Sniff } from './facts.ts';
import { sniff as json } from './json/about.ts';
import { sniff as messagepack } from './messagepack/about.ts';
import type { FormatId } from './registry.ts';
import { sniff as sia } from './sia/about.ts';

/** Sniffers of formats that the first bytes identify. In other formats, any bytes may be valid. */
export const SNIFFERS: Readonly<Partial<Record<FormatId, Sniff>>> = { json, messagepack, cbor, avro, bson, sia };
