import * as is from '../../worker/sinks/span-tree.ts';
import type { SpanTree } from '../../worker/sinks/span-tree.ts';
import { describeBson } from './bson.ts';
import { describeCbor } from './cbor.ts';
import { describeJson } from './json.ts';
import { describeMessagePack } from './messagepack.ts';
import { describeProtobuf } from './protobuf.ts';

/** What the first bytes of a value are, in the words of its format's specification. */
export interface Description {
  /** For example `fixstr 5`. */
  name: string;
  /** Bytes that tell the type, and bytes behind them that tell a length. */
  type: number;
  length: number;
}

/** What a describer is told. */
export interface Place {
  tree: SpanTree;
  node: number;
  bytes: Uint8Array;
  /** Where the value begins, and where it ends. */
  at: number;
  end: number;
}

const DESCRIBERS: Readonly<Record<string, (place: Place) => Description>> = {
  json: describeJson,
  messagepack: describeMessagePack,
  cbor: describeCbor,
  bson: describeBson,
  protobuf: describeProtobuf,
};

/** How a value is encoded. */
export function describe(format: string, tree: SpanTree, node: number): Description {
  const { values, ends, heads, kinds } = tree.data;
  const at = values[node]!;
  const end = ends[node]!;
  const describer = DESCRIBERS[format];
  if (describer && node > 0) {
    const found = describer({ tree, node, bytes: tree.bytes, at, end });
    // What a tag made of its content has no bytes of its own.
    if (found.name === '') return { ...found, name: is.KIND_NAMES[kinds[node]!]! };
    if (found.type + found.length <= end - at) return found;
    return { ...found, type: Math.min(found.type, end - at), length: 0 };
  }
  const head = Math.min(heads[node]!, end - at);
  return { name: is.KIND_NAMES[kinds[node]!]!, type: kinds[node]! >= is.ARRAY ? head : 0, length: kinds[node]! >= is.ARRAY ? 0 : head };
}

/** How the key before a value is encoded. Empty where there is none. */
export function describeKey(format: string, tree: SpanTree, node: number): string {
  const { starts, values } = tree.data;
  const at = starts[node]!;
  if (at === values[node] || !tree.hasName(node)) return '';
  const place: Place = { tree, node, bytes: tree.bytes, at, end: values[node]! };
  if (format === 'messagepack') return describeMessagePack(place).name;
  if (format === 'cbor') return describeCbor(place).name;
  if (format === 'protobuf') return 'tag';
  return 'key';
}
