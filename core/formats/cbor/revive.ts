import { brandInstances } from '../../instanceof-brand.ts';
import { DecodeError } from '../../errors.ts';
import { reviveCore } from '../../reading/revive.ts';

/** An unknown tag; its inner value is `[tag, content]`. */
export const UNKNOWN_TAG = 'cbor:tag';
/** An unknown simple value; its inner value is the number. */
export const SIMPLE_TAG = 'cbor:simple';
/** A generic object (tag 27); its inner value is the content. */
export const OBJECT_TAG = 'cbor:object';
/** A JSON text (tag 262). */
export const JSON_TAG = 'cbor:json';

/** The value of a tag without a meaning in this library. */
export class CborTag {
  /** A bigint from 2⁵³. */
  readonly tag: number | bigint;
  readonly value: unknown;

  constructor(tag: number | bigint, value: unknown) {
    this.tag = tag;
    this.value = value;
  }
}

brandInstances('CborTag', CborTag);

/** A simple value other than false, true, null and undefined (RFC 8949 section 3.3). */
export class CborSimple {
  /** From 0 to 19 or from 32 to 255. */
  readonly value: number;

  constructor(value: number) {
    this.value = value;
  }
}

brandInstances('CborSimple', CborSimple);

/** Makes the value of one of the format's tags. */
export function reviveCbor(tag: string, inner: unknown): unknown {
  switch (tag) {
    case UNKNOWN_TAG: {
      const [number, value] = inner as [number | bigint, unknown];
      return new CborTag(number, value);
    }
    case SIMPLE_TAG:
      return new CborSimple(inner as number);
    case OBJECT_TAG:
      return reviveObject(inner);
    case JSON_TAG:
      return checked('a text that is not JSON', () => JSON.parse(inner as string) as unknown);
    default:
      throw new TypeError(`an unknown tag: ${tag}`);
  }
}

/**
 * Creates a `reviveTag` that passes the content of unknown tags to the functions given by their tag. Their results are the
 * values.
 */
export function createReviveTag(tags: Readonly<Record<number | string, (content: never) => unknown>>): (tag: string, inner: unknown) => unknown {
  const functions = new Map(Object.entries(tags));
  return (tag, inner) => {
    const make = tag === UNKNOWN_TAG ? functions.get(String((inner as [number])[0])) : undefined;
    return make ? make((inner as [number, never])[1]) : reviveCbor(tag, inner);
  };
}

/** Revives cbor-x's `['RegExp', source, flags]`, and errors as `[name, message]`. Any other object stays a tag. */
function reviveObject(inner: unknown): unknown {
  if (Array.isArray(inner) && typeof inner[0] === 'string') {
    const [name, ...rest] = inner as [string, ...unknown[]];
    if (name === 'RegExp') return checked('invalid regular expression', () => reviveCore('RegExp', rest));
    if (/(?:Error|Exception)$/.test(name)) return checked('invalid error', () => reviveCore('Error', inner));
  }
  return new CborTag(27, inner);
}

function checked(reason: string, make: () => unknown): unknown {
  try {
    return make();
  } catch (error) {
    throw new DecodeError('malformed', `${reason}: ${(error as Error).message}`);
  }
}
