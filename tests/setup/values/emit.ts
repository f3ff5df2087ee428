import { BINARY_KINDS, type Sink } from '../../../core/reading/sink.ts';

const encoder = new TextEncoder();

/**
 * Sends a value to a sink as the reader of a format would, with strings in windows of `windowBytes`.
 */
export function emit(sink: Sink, root: unknown, windowBytes = 4096): void {
  const anchors = new Map<object, number>();
  const counts = new Map<object, number>();
  countObjects(root, counts);

  // Strings share a window until it is full, as in a payload. Its bytes are then overwritten.
  let bytes = new Uint8Array(0);
  let used = 0;
  const place = (content: Uint8Array): [number, number] => {
    if (used + content.length + 2 > bytes.length) {
      sink.flush?.();
      bytes.fill(0xff);
      bytes = new Uint8Array(Math.max(windowBytes, content.length + 2)).fill(0xfe);
      used = 0;
      sink.window(bytes, new DataView(bytes.buffer), 0);
    }
    bytes.set(content, used + 1);
    used += content.length + 2;
    return [used - content.length - 1, used - 1];
  };
  const range = (text: string): [number, number] => place(encoder.encode(text));

  const value = (item: unknown): void => {
    if (item === null) sink.null(0, 0);
    else if (item === undefined) sink.undefined(0, 0);
    else if (typeof item === 'boolean') sink.boolean(item, 0, 0);
    else if (typeof item === 'number') {
      if (Number.isSafeInteger(item) && !Object.is(item, -0)) sink.integer(item, 0, 0);
      else sink.float(item, 0, 0);
    } else if (typeof item === 'bigint') sink.bigint(item, 0, 0);
    else if (typeof item === 'string') {
      if (/[\uD800-\uDFFF]/u.test(item)) sink.text(item, 0, 0);
      else sink.string(0, ...range(item));
    } else object(item);
  };

  const object = (item: object): void => {
    const known = anchors.get(item);
    if (known !== undefined) return sink.reference(known, 0, 0);
    if (counts.get(item)! > 1) {
      anchors.set(item, anchors.size);
      sink.anchor(anchors.size - 1, 0, 0);
    }
    if (Array.isArray(item)) {
      sink.beginArray(item.length, 0, 0);
      for (const inner of item) value(inner);
      sink.endArray(0);
    } else if (item instanceof Date) sink.date(item.getTime(), 0, 0);
    else if (item instanceof RegExp) {
      sink.beginTagged('RegExp', 0, 0);
      value([item.source, item.flags]);
      sink.endTagged(0);
    } else if (item instanceof Set) {
      sink.beginSet(item.size, 0, 0);
      for (const inner of item) value(inner);
      sink.endSet(0);
    } else if (item instanceof Map) {
      sink.beginMap(item.size, 0, 0);
      for (const [key, inner] of item) {
        value(key);
        value(inner);
      }
      sink.endMap(0);
    } else if (ArrayBuffer.isView(item) || item instanceof ArrayBuffer) {
      const content = item instanceof ArrayBuffer ? new Uint8Array(item) : new Uint8Array(item.buffer, item.byteOffset, item.byteLength);
      sink.binary(BINARY_KINDS.indexOf(item.constructor.name as 'Uint8Array'), 0, ...place(content));
    } else {
      const entries = Object.entries(item);
      sink.beginObject(entries.length, 0, 0);
      for (const [key, inner] of entries) {
        if (/[\uD800-\uDFFF]/u.test(key)) sink.keyText(key, 0, 0);
        else sink.key(0, ...range(key));
        value(inner);
      }
      sink.endObject(0);
    }
  };

  value(root);
  sink.flush?.();
}

function countObjects(item: unknown, counts: Map<object, number>): void {
  if (typeof item !== 'object' || item === null) return;
  const count = (counts.get(item) ?? 0) + 1;
  counts.set(item, count);
  if (count > 1) return;
  if (item instanceof Map) for (const [key, value] of item) [key, value].forEach((inner) => countObjects(inner, counts));
  else if (Array.isArray(item) || item instanceof Set) for (const inner of item) countObjects(inner, counts);
  else if (Object.getPrototypeOf(item) === Object.prototype) for (const inner of Object.values(item)) countObjects(inner, counts);
}
