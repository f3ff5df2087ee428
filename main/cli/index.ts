#!/usr/bin/env node
import { escaped } from './declarations.ts';
import type { FileSystem } from './schema-file.ts';
import { baseNameOf, readSchemaFile } from './schema-file.ts';
import { formatOf, typesOf } from './types.ts';

const HELP = `Usage: unspool types <schema> [options]

Prints TypeScript for the values of a schema, as Unspool decodes them by default.

  <schema>          .proto, .bop, .avsc, .bfbs (flatc --schema --binary --bfbs-builtins), or a file with --format
  --type <name>     the type of the payload, and those it uses; by default all types
  --format <name>   avro, bebop, capnproto, flatbuffers, jsbinary or protobuf; by default from the file's name
  --out <file>      writes a file; by default to the standard output
  -I <folder>       a folder with imported schemas, besides those of the files that import them; may be given several times
`;

/** The part of Node that is used here. Modules are not imported: the package's files import no other package. */
interface NodeProcess {
  readonly argv: readonly string[];
  exitCode?: number | undefined;
  readonly stdout: { write(text: string): unknown };
  readonly stderr: { write(text: string): unknown };
  getBuiltinModule(id: 'node:fs'): FileSystem & { writeFileSync(path: string, text: string): void };
  getBuiltinModule(id: 'node:path'): FileSystem;
  getBuiltinModule(id: 'node:util'): { parseArgs<T>(config: T): { values: Values; positionals: string[] } };
}

interface Values {
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly out?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly help?: boolean | undefined;
}

const { process } = globalThis as unknown as { process: NodeProcess };

try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`unspool: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function run(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const { values, positionals } = process.getBuiltinModule('node:util').parseArgs({
    args,
    allowPositionals: true,
    options: { type: text, format: text, out: text, include: { type: 'string', short: 'I', multiple: true }, help: { type: 'boolean', short: 'h' } },
  });
  const [command, path] = positionals;
  if (values.help || command !== 'types' || path === undefined || positionals.length > 2) {
    process.stdout.write(HELP);
    if (!values.help) process.exitCode = 2;
    return;
  }
  const fs = process.getBuiltinModule('node:fs');
  const { resolve, dirname } = process.getBuiltinModule('node:path');
  const format = values.format ?? formatOf(path);
  const file = readSchemaFile(path, [...(values.include ?? []), '.'], { statSync: fs.statSync, readFileSync: fs.readFileSync, resolve, dirname });
  const source = `// From ${escaped(baseNameOf(path))} by \`npx unspool types\`. Values as decoded with the default options of the format.\n\n`;
  const types = source + (await typesOf(format, file, values.type));
  if (values.out === undefined) process.stdout.write(types);
  else fs.writeFileSync(values.out, types);
}
