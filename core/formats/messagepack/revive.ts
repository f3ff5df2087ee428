import { brandInstances } from '../../instanceof-brand.ts';

/** The tag of an extension left to the application; its inner value is `[type, content]`. */
export const EXTENSION_TAG = 'messagepack:ext';

/** An extension without a registered handler. */
export class MessagePackExtension {
  /** From −128 to 127; the specification reserves the negative ones. */
  readonly type: number;
  /** The bytes, or the decoded value of a type in `valueExtensions`. */
  readonly data: unknown;

  constructor(type: number, data: unknown) {
    this.type = type;
    this.data = data;
  }
}

brandInstances('MessagePackExtension', MessagePackExtension);

/** Makes the value of one of the format's tags. */
export function reviveMessagePack(tag: string, inner: unknown): unknown {
  if (tag !== EXTENSION_TAG) throw new TypeError(`an unknown tag: ${tag}`);
  const [type, data] = inner as [number, unknown];
  return new MessagePackExtension(type, data);
}

/**
 * Creates a `reviveTag` that passes extensions to the functions given by their type, from −128 to 127. A function receives
 * a copy of the extension's bytes as a Uint8Array, or the decoded value of a type in `valueExtensions`.
 */
export function createReviveTag(extensions: Readonly<Record<number, (data: never) => unknown>>): (tag: string, inner: unknown) => unknown {
  const functions = new Map(Object.entries(extensions).map(([type, make]) => [Number(type), make]));
  return (tag, inner) => {
    const make = tag === EXTENSION_TAG ? functions.get((inner as [number])[0]) : undefined;
    return make ? make((inner as [number, never])[1]) : reviveMessagePack(tag, inner);
  };
}
