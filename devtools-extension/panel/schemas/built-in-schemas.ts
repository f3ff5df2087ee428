import type { Exchange } from '../../adapter/adapter.ts';
import type { SchemaInput } from '../../reading/protocol.ts';

/** Messages of vector tiles (https://github.com/mapbox/vector-tile-spec/tree/master/2.1, section 4). */
const VECTOR_TILE = `syntax = "proto2";
package vector_tile;
message Tile {
  enum GeomType { UNKNOWN = 0; POINT = 1; LINESTRING = 2; POLYGON = 3; }
  message Value {
    optional string string_value = 1; optional float float_value = 2; optional double double_value = 3; optional int64 int_value = 4;
    optional uint64 uint_value = 5; optional sint64 sint_value = 6; optional bool bool_value = 7;
  }
  message Feature { optional uint64 id = 1; repeated uint32 tags = 2 [packed = true]; optional GeomType type = 3; repeated uint32 geometry = 4 [packed = true]; }
  message Layer {
    required uint32 version = 15; required string name = 1; repeated Feature features = 2; repeated string keys = 3; repeated Value values = 4;
    optional uint32 extent = 5;
  }
  repeated Layer layers = 3;
}
`;

/** Schemas of public formats, with the Content-Type and path that identify them. */
const KNOWN: readonly { type: RegExp; path: RegExp; schema: SchemaInput }[] = [
  {
    type: /^application\/(?:vnd\.mapbox-vector-tile|x-vector-tile)\b/i,
    path: /\.mvt$|\/\d+\/\d+\/\d+(?:\.vector)?\.pbf$/,
    schema: { name: 'vector tiles', format: 'protobuf', input: { proto: VECTOR_TILE, message: 'vector_tile.Tile' } },
  },
];

/** Schema of a public format; undefined for other responses. */
export function builtInSchema({ url, contentType }: Exchange): SchemaInput | undefined {
  const path = url.replace(/[?#].*$/s, '');
  return KNOWN.find((known) => known.type.test(contentType) || known.path.test(path))?.schema;
}

/** Full message name in the `messageType=` or `proto=` parameter of a Content-Type. */
export function declaredMessage(contentType: string): string | undefined {
  return /;\s*(?:messageType|proto|message|msg-type)\s*=\s*"?([\w.]+)"?/i.exec(contentType)?.[1];
}
