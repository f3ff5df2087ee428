import type { AnyFormat } from '../core/formats/format.ts';
import json from '../core/formats/json/index.ts';
import messagepack from '../core/formats/messagepack/index.ts';
import type { FormatId } from '../core/formats/registry.ts';

/** Code that a job may need, by its name: a format, and what few jobs need. */
export type Code = Readonly<Record<FormatId, { default: AnyFormat }>> & {
  readonly zstd: typeof import('../core/bytes/zstd/zstd.ts');
  readonly 'json-text': typeof import('../core/sinks/json/text.ts');
};

export type CodeName = keyof Code;

/** Loads code, from the URL of its file where the page has sent one. */
export type LoadCode = <Name extends CodeName>(name: Name, url: string | undefined) => Promise<Code[Name]>;

/** What is part of the worker's own file. */
export type BuiltIn = 'json' | 'messagepack';
const BUILT_IN: Pick<Code, BuiltIn> = { json: { default: json }, messagepack: { default: messagepack } };

/** By this name, the files of code find the function that they hand it to. */
const take = Symbol.for('unspool.code');
/** What the files of code hand over: some bundlers drop the exports of a file that they know by its URL alone. */
const handed: Record<string, unknown> = {};

/** Loads code in a worker that is a file of its own. */
export const loadFile: LoadCode = async <Name extends CodeName>(name: Name, url: string | undefined) => {
  const builtIn = (BUILT_IN as Partial<Code>)[name];
  if (builtIn) return builtIn;
  if (url === undefined) throw new Error('the page sent no URL for its file');
  return (await loadModule(name, url)) as Code[Name];
};

/** Loads a file of code by its name and URL: its module. */
export async function loadModule(name: string, url: string): Promise<unknown> {
  const scope = globalThis as { [take]?: typeof handOver };
  scope[take] = handOver;
  // Bundlers are to leave this alone: the file is one that they have written out for the page.
  const module: unknown = await import(/* @vite-ignore */ /* webpackIgnore: true */ url);
  return handed[name] ?? module;
}

function handOver(name: string, code: unknown): void {
  handed[name] = code;
}
