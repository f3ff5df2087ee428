import type { AnyFormat } from './format.ts';
import type { FormatId } from './registry.ts';

/** The code of each format, for threads that can load code: pages, Node, the worker that is inlined. */
const LOADERS: Readonly<Record<FormatId, () => Promise<{ default: AnyFormat }>>> = {
  json: () => import('./json.ts'),
  messagepack: () => import('./messagepack.ts'),
  cbor: () => import('./cbor.ts'),
  avro: () => import('./avro.ts'),
  protobuf: () => import('./protobuf.ts'),
  flatbuffers: () => import('./flatbuffers.ts'),
  capnproto: () => import('./capnproto.ts'),
  bebop: () => import('./bebop.ts'),
  bson: () => import('./bson.ts'),
  sia: () => import('./sia.ts'),
  jsbinary: () => import('./jsbinary.ts'),
};

/** Loads the module of a format. */
export function formatModule(id: FormatId): Promise<{ default: AnyFormat }> {
  return LOADERS[id]();
}

/** Loads the code of a format. */
export async function loadFormat(id: FormatId): Promise<AnyFormat> {
  return (await formatModule(id)).default;
}
