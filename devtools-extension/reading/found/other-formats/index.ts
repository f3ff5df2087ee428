import type { PageScript } from '../../../adapter/adapter.ts';
import type { Script } from '../script.ts';
import type { FoundTypes } from '../types.ts';
import { addAvro } from './avro.ts';
import { addBebop } from './bebop.ts';
import { callsIn } from './calls.ts';
import { CodeTypes } from './code-types.ts';
import { addFlatBuffers } from './flatbuffers.ts';
import { addJsBinary, JS_BINARY } from './jsbinary.ts';

/** Marks of code that has to do with these formats. Other scripts are not parsed. */
export const OTHER_MARKS = /["'`]record["'`]|\\"record\\"|\bencodeInto\b|\b__offset\b|Unknown basic type: |["'`](?:uint|oid)["'`]/;

/**
 * Finds types of Avro, js-binary, FlatBuffers and Bebop in a page's scripts, and the paths whose requests read or write them.
 * `pages` has all scripts, `scripts` those that were parsed.
 */
export function findOtherTypes(pages: readonly PageScript[], scripts: readonly Script[]): FoundTypes[] {
  const types = new CodeTypes();
  addAvro(scripts, types);
  addFlatBuffers(scripts, types);
  addBebop(scripts, types);
  // A literal such as { name: 'string' } may be anything, unless the page has the library.
  if (pages.some(({ text }) => text.includes(JS_BINARY))) addJsBinary(scripts, types);
  const calls = types.all.length === 0 ? [] : scripts.flatMap((script) => callsIn(script, types));
  return [...new Set(types.all.map(({ format }) => format))].map((format) => ({
    format,
    types: types.all.filter((type) => type.format === format).map(({ name, where, by, input }) => ({ name, where, by, input })),
    methods: calls.filter((call) => call.format === format).map(({ path, request, response }) => ({ path, request, response })),
  }));
}
