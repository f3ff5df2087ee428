import type { BuiltIn, Code, CodeName } from '../../worker/code.ts';

/**
 * Where the files lie that a worker loads code from; what is not here is part of the worker's own file. Bundlers know a
 * file of the application by this very expression: it must stay as it is.
 */
const FILES: Readonly<Record<Exclude<CodeName, BuiltIn>, () => URL>> = {
  cbor: () => new URL('./formats/cbor.js', import.meta.url),
  avro: () => new URL('./formats/avro.js', import.meta.url),
  protobuf: () => new URL('./formats/protobuf.js', import.meta.url),
  flatbuffers: () => new URL('./formats/flatbuffers.js', import.meta.url),
  capnproto: () => new URL('./formats/capnproto.js', import.meta.url),
  bebop: () => new URL('./formats/bebop.js', import.meta.url),
  bson: () => new URL('./formats/bson.js', import.meta.url),
  sia: () => new URL('./formats/sia.js', import.meta.url),
  jsbinary: () => new URL('./formats/jsbinary.js', import.meta.url),
  zstd: () => new URL('./zstd.js', import.meta.url),
  'json-text': () => new URL('./json-text.js', import.meta.url),
};

/** What the page has asked for: undefined where that failed. */
const asked = new Map<CodeName, Promise<unknown>>();
const whole = new WeakSet<Worker>();

/** Says of a worker that it has all code built in. */
export function withAllCode(worker: Worker): Worker {
  whole.add(worker);
  return worker;
}

/**
 * The URL of the file that a worker loads some code from; undefined where the code is part of the worker's own file. The
 * page asks for it at once, while the worker may still be starting, so that the worker finds it in the browser's cache.
 */
export function codeFile(name: CodeName, worker: Worker): string | undefined {
  const url = whole.has(worker) ? undefined : (FILES as Partial<Record<CodeName, () => URL>>)[name]?.().href;
  if (url !== undefined && !asked.has(name)) {
    // An import is allowed wherever the page's own scripts are; a link or a fetch would ask more of the page's policy.
    const module: Promise<unknown> = import(/* @vite-ignore */ /* webpackIgnore: true */ url);
    asked.set(
      name,
      module.catch(() => void asked.delete(name)),
    );
  }
  return url;
}

/**
 * The code of a file that workers were told of, for the page's own use: an application that is bundled has another copy of
 * it, with another request. Undefined where there is no such file, or its exports were dropped by a bundler.
 */
export async function codeOfFile<Name extends CodeName>(name: Name): Promise<Code[Name] | undefined> {
  const module = (await asked.get(name)) as Partial<Code[Name]> | undefined;
  return module && 'default' in module ? (module as Code[Name]) : undefined;
}
