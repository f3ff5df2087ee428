import type { AnyFormat } from '../core/format/format.ts';
import json from '../core/formats/json/index.ts';
import messagepack from '../core/formats/messagepack/index.ts';
import type { FormatId } from '../core/format/format-id.ts';

/** Code that a job may load, by name: formats, and rarely needed features. */
export type Code = Readonly<Record<FormatId, { default: AnyFormat }>> & {
  readonly zstd: typeof import('../core/bytes/zstd/zstd.ts');
  readonly shaping: typeof import('../core/shaping.ts');
  readonly 'json-text': typeof import('../core/sinks/json/text.ts');
};

export type CodeName = keyof Code;

/** Loads code, from the URL of its file if the page has sent one. */
export type LoadCode = <Name extends CodeName>(name: Name, url: string | undefined) => Promise<Code[Name]>;

/** Formats bundled with the worker's own file. */
export type BuiltIn = 'json' | 'messagepack';
const BUILT_IN: Pick<Code, BuiltIn> = { json: { default: json }, messagepack: { default: messagepack } };

/** Global name under which code files find `handOver`. */
const take = Symbol.for('unspool.code');
/** Modules handed over by code files: some bundlers drop the exports of a file that they know only by URL. */
const handed: Record<string, unknown> = {};

/** Loads code in a worker that is a separate file. */
export const loadFile: LoadCode = async <Name extends CodeName>(name: Name, url: string | undefined) => {
  const builtIn = (BUILT_IN as Partial<Code>)[name];
  if (builtIn) return builtIn;
  if (url === undefined) throw new Error('the page sent no URL for its file');
  return (await loadModule(name, url)) as Code[Name];
};

/** Loads a code file by name and URL. Returns its module. */
export async function loadModule(name: string, url: string): Promise<unknown> {
  const scope = globalThis as { [take]?: typeof handOver };
  scope[take] = handOver;
  // Bundlers must not resolve this import: they have emitted the file for the page already.
  const module: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
  return handed[name] ?? module;
}

function handOver(name: string, code: unknown): void {
  handed[name] = code;
}
