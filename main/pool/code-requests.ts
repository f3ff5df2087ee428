import type { Code, CodeName } from '../../worker/code.ts';

/** URLs of the files from which a worker loads code. */
const files: Partial<Record<CodeName, () => URL>> = {};

/** Names files from which workers load code. */
export function addFiles(more: Readonly<Partial<Record<CodeName, () => URL>>>): void {
  Object.assign(files, more);
}

/** Modules that the page has requested; undefined if a request failed. */
const requested = new Map<CodeName, Promise<unknown>>();
/** Workers that have all code built in. */
const complete = new WeakSet<Worker>();

/** Marks a worker that has all code built in. */
export function withAllCode(worker: Worker): Worker {
  complete.add(worker);
  return worker;
}

/**
 * The URL of the file from which a worker loads some code; undefined if the worker's own file contains the code. The page
 * requests it immediately, while the worker may still be starting, so that the worker finds it in the browser's cache.
 */
export function codeFile(name: CodeName, worker: Worker): string | undefined {
  const url = complete.has(worker) ? undefined : files[name]?.().href;
  if (url !== undefined && !requested.has(name)) {
    // An import is allowed wherever the page's own scripts are; a link or a fetch would need more of the page's policy.
    const module: Promise<unknown> = import(/* @vite-ignore */ /* webpackIgnore: true */ url);
    requested.set(
      name,
      module.catch(() => void requested.delete(name)),
    );
  }
  return url;
}

/**
 * The code of a file that workers load, for the page's own use: a bundled application has another copy, with another request.
 * Undefined if no worker loads the file, or a bundler has dropped its exports.
 */
export async function codeOfFile<Name extends CodeName>(name: Name): Promise<Code[Name] | undefined> {
  const module = (await requested.get(name)) as Partial<Code[Name]> | undefined;
  return module && 'default' in module ? (module as Code[Name]) : undefined;
}
