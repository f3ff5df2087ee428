import type { AnyFormat, LoadSchemaCode } from '../format/format.ts';
import type { FormatId } from '../format/format-id.ts';

// Written by `scripts/generate/formats.mjs` up to the line "// End".
/** The code of each format, for threads that can load code: pages, Node, the inlined worker. */
export const LOADERS: Readonly<Record<FormatId, () => Promise<{ default: AnyFormat }>>> = {
  json: () => import('./json/index.ts'),
  messagepack: () => import('./messagepack/index.ts'),
  cbor: () => import('./cbor/index.ts'),
  avro: () => import('./avro/index.ts'),
  protobuf: () => import('./protobuf/index.ts'),
  flatbuffers: () => import('./flatbuffers/index.ts'),
  capnproto: () => import('./capnproto/index.ts'),
  bebop: () => import('./bebop/index.ts'),
  bson: () => import('./bson/index.ts'),
  sia: () => import('./sia/index.ts'),
  jsbinary: () => import('./jsbinary/index.ts'),
  arrow: () => import('./arrow/index.ts'),
  protojson: () => import('./protojson/index.ts'),
};
// End

/** Loads the module of a format. */
export function formatModule(id: FormatId): Promise<{ default: AnyFormat }> {
  return LOADERS[id]();
}

/** Loads the code of a format. */
export async function loadFormat(id: FormatId): Promise<AnyFormat> {
  return (await formatModule(id)).default;
}

/** Loads code that few schemas need. The format's own file may be a bundle without other files. */
export const loadSchemaCode: LoadSchemaCode = (name) => {
  if (name === 'proto-text') return import('./protobuf/schema/proto-text.ts');
  if (name === 'fbs-text') return import('./flatbuffers/schema/fbs-text.ts');
  return name === 'capnp-text' ? import('./capnproto/schema/capnp-text.ts') : import('./protobuf/schema/proto-reflection.ts');
};
