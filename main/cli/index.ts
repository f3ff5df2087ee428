#!/usr/bin/env node
import type { FormatId } from '../../core/format/format-id.ts';
import { escaped, withoutRepeats } from './types/declarations.ts';
import { converted, type GivenSchema, type Payload, valueOf } from './convert.ts';
import { type FileFormat, fileFormat, schemaOf } from './payload-file.ts';
import type { FileSystem } from './schema-file.ts';
import { baseNameOf, readSchemaFile, schemaFilesIn } from './schema-file.ts';
import { shown } from './show.ts';
import { sizesOf } from './size.ts';
import { formatOf, typesOf } from './types.ts';

const HELP = `Usage: unspool [payload]                     prints a payload of any format as JSON
       unspool show [payload]                shows its values with types and byte offsets, and lists as tables
       unspool convert <payload> <file>      writes it in another format
       unspool size [payload]                compares its size in the formats that can hold it
       unspool types <schema>…               prints TypeScript for the values of schemas: files, or folders of them

A payload is a file, or the standard input if it is absent or -. Its format is that of the file's ending; without one, all of the
payload is read, and the format is the one whose rules it follows.

  --from <name>     the payload's format
  --to <name>       the format to write; by default from the ending of <file>, otherwise json
  --schema <file>   the schema of the payload, or of the format to write: .proto, .fbs, .capnp, .bop, .avsc, .bfbs, or a file with --format
  --type <name>     the type of the payload, and those it uses; for types, all by default
  --format <name>   the format of a schema: avro, bebop, capnproto, flatbuffers, jsbinary, protobuf or, for types, json-schema
                    (.schema.json); by default from the file's name
  --head <number>   the rows and values that show prints of each list; by default 20
  --out <file>      writes a file; by default to the standard output
  -I <folder>       a folder with imported schemas, besides those of the files that import them; may be given several times
  --version         prints the version

Formats: arrow, avro, bebop, bson, capnproto, cbor, cborseq, flatbuffers, jsbinary, json,
         messagepack, ndjson, protobuf, sia

Examples:
  curl -s -H 'Accept: application/cbor' https://example.com/trips | npx unspool
  npx unspool show trips.avro --head 50
  npx unspool convert trips.ndjson trips.avro --schema trip.avsc
  npx unspool trip.pb --schema trip.proto --type Trip
  npx unspool size response.json
  npx unspool types schemas/ -I vendor --out types.ts
`;

interface Output {
  write(bytes: string | Uint8Array): boolean;
  end(done: () => void): void;
  once(event: 'drain' | 'error', listener: (error: unknown) => void): unknown;
}

/** The part of Node that is used here. Modules are not imported: the package's files import no other package. */
interface NodeProcess {
  readonly argv: readonly string[];
  readonly pid: number;
  exitCode?: number | undefined;
  exit(code: number): never;
  readonly stdin: AsyncIterable<Uint8Array> & { readonly isTTY?: boolean };
  readonly stdout: Output & { readonly isTTY?: boolean; readonly columns?: number };
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stderr: { write(text: string): unknown };
  getBuiltinModule(id: 'node:fs'): FileSystem & {
    readFileSync(path: string | URL): Uint8Array<ArrayBuffer>;
    openSync(path: string, flags?: 'w'): number;
    createReadStream(path: string, options: { fd: number }): AsyncIterable<Uint8Array>;
    createWriteStream(path: string, options: { fd: number }): Output;
    renameSync(from: string, to: string): void;
    readdirSync(path: string, options: { recursive: true }): string[];
    rmSync(path: string, options: { force: boolean }): void;
  };
  getBuiltinModule(id: 'node:path'): FileSystem;
  getBuiltinModule(id: 'node:util'): { parseArgs<T>(config: T): { values: Values; positionals: string[] } };
  getBuiltinModule(id: 'node:zlib'): Record<'gzipSync' | 'brotliCompressSync', (bytes: Uint8Array) => Uint8Array>;
}

interface Values {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly schema?: string | undefined;
  readonly type?: string | undefined;
  readonly format?: string | undefined;
  readonly head?: string | undefined;
  readonly out?: string | undefined;
  readonly include?: readonly string[] | undefined;
  readonly help?: boolean | undefined;
  readonly version?: boolean | undefined;
}

const { process } = globalThis as unknown as { process: NodeProcess };

// A reader that stops, such as `head`, ends the command.
process.stdout.once('error', () => process.exit(0));
try {
  await run(process.argv.slice(2));
} catch (error) {
  process.stderr.write(`unspool: ${(error as Error).message}\n`);
  process.exitCode = 1;
}

async function run(args: readonly string[]): Promise<void> {
  const text = { type: 'string' } as const;
  const flag = { type: 'boolean' } as const;
  const { values, positionals } = process.getBuiltinModule('node:util').parseArgs({
    args,
    allowPositionals: true,
    options: {
      from: text,
      to: text,
      schema: text,
      type: text,
      format: text,
      head: text,
      out: text,
      version: flag,
      include: {
        type: 'string',
        short: 'I',
        multiple: true,
      },
      help: {
        type: 'boolean',
        short: 'h',
      },
    },
  });
  const [command, ...operands] = positionals;
  // Nothing comes from a terminal unless the user types it.
  const isAsked = command === undefined || (['show', 'size'].includes(command) && operands.length === 0);
  if (values.help || (isAsked && process.stdin.isTTY && !values.version)) return write(HELP);
  if (values.version) return write(`${version()}\n`);
  if (command === 'types' && operands.length > 0) return write(await types(operands, values), values.out);
  if (command === 'show' && operands.length <= 1) return write(show(operands[0] ?? '-', values), values.out);
  if (command === 'convert' && operands.length === 2) return convert(operands[0]!, operands[1]!, values);
  if (command === 'size' && operands.length <= 1) return write(await sizes(operands[0] ?? '-', values), values.out);
  if (!['types', 'convert', 'size', 'show'].includes(command ?? '') && operands.length === 0) return convert(command ?? '-', '-', values);
  process.stderr.write(HELP);
  process.exitCode = 2;
}

/** The version of the package, whose folder has this file's. */
function version(): string {
  // Not in one expression, which the build would take for a file to copy.
  const here = import.meta.url;
  const text = new TextDecoder().decode(process.getBuiltinModule('node:fs').readFileSync(new URL('../package.json', here)));
  return (JSON.parse(text) as { version: string }).version;
}

/** TypeScript for the values of schemas, in files and in folders. */
async function types(paths: readonly string[], { format, type, include }: Values): Promise<string> {
  const fs = process.getBuiltinModule('node:fs');
  const files = paths.flatMap((path) =>
    fs.statSync(path, { throwIfNoEntry: false })?.isDirectory() ? schemaFilesIn(path, fs.readdirSync(path, { recursive: true })) : [path],
  );
  const texts: [path: string, text: string][] = [];
  for (const path of files) {
    const warn = (problem: string): unknown => process.stderr.write(`${path}: ${problem}\n`);
    texts.push([path, await typesOf(format ?? formatOf(path), readSchema(path, include), type, warn)]);
  }
  const names = files.map((path) => escaped(baseNameOf(path))).join(', ');
  return `// From ${names} by \`npx unspool types\`. Values as decoded with the default options of the format.\n\n${withoutRepeats(texts)}`;
}

/** The values of a payload as text. */
function show(path: string, values: Values): AsyncIterable<string> {
  const { head = '20', out } = values;
  if (!/^[1-9]\d*$/.test(head)) throw new TypeError(`invalid --head ${head}: expected a number of rows`);
  const { isTTY = false, columns } = process.stdout;
  const isTerminal = isTTY && out === undefined;
  const look = { head: Number(head), width: isTerminal ? columns : undefined, isColored: isTerminal && !process.env['NO_COLOR'] };
  return shown(payloadOf(path, values), look);
}

/** Writes a payload in another format. */
async function convert(path: string, target: string, values: Values): Promise<void> {
  const to = fileFormat(values.to, target) ?? { format: 'json' };
  const out = target === '-' ? values.out : target;
  await write(await converted(payloadOf(path, values, to), to), out, to.format === 'json');
}

/** The sizes of a payload in other formats. */
async function sizes(path: string, values: Values): Promise<string> {
  const payload = payloadOf(path, values);
  const { gzipSync, brotliCompressSync } = process.getBuiltinModule('node:zlib');
  return sizesOf(await valueOf(payload), payload.schema, { gzip: gzipSync, br: brotliCompressSync });
}

function payloadOf(path: string, values: Values, to?: FileFormat): Payload {
  const schema = schemaIn(values);
  // A schema alone says the format of a payload, unless it is for the format to write.
  const from = fileFormat(values.from, path) ?? (schema && schema.format !== to?.format ? { format: schema.format } : undefined);
  return { source: open(path), from, schema };
}

function schemaIn({ schema: path, format, type, include }: Values): GivenSchema | undefined {
  if (path === undefined) return undefined;
  const of = (format ?? formatOf(path)) as FormatId;
  return { format: of, schema: schemaOf(of, readSchema(path, include), type) };
}

function readSchema(path: string, folders: readonly string[] = []): ReturnType<typeof readSchemaFile> {
  const fs = process.getBuiltinModule('node:fs');
  const { resolve, dirname } = process.getBuiltinModule('node:path');
  return readSchemaFile(path, [...folders, '.'], { statSync: fs.statSync, readFileSync: (name) => fs.readFileSync(name), resolve, dirname });
}

/** The bytes of a file, or of the standard input. */
function open(path: string): AsyncIterable<Uint8Array> {
  if (path === '-') return process.stdin;
  const fs = process.getBuiltinModule('node:fs');
  // Opened at once: a stream would only say later that there is no such file.
  return fs.createReadStream(path, { fd: fs.openSync(path) });
}

/** Writes to a file, which is replaced once all is written, or to the standard output. Text gets a line feed at its end. */
async function write(content: string | AsyncIterable<Uint8Array | string>, file?: string, isText = false): Promise<void> {
  if (file === undefined) return writeTo(process.stdout, content, isText);
  const fs = process.getBuiltinModule('node:fs');
  const part = `${file}.${process.pid}.part`;
  const output = fs.createWriteStream(part, { fd: fs.openSync(part, 'w') });
  try {
    await writeTo(output, content, isText);
    await new Promise<void>((resolve, reject) => {
      output.once('error', reject);
      output.end(resolve);
    });
    fs.renameSync(part, file);
  } catch (error) {
    fs.rmSync(part, { force: true });
    throw error;
  }
}

/** Writes chunks as fast as the reader takes them. */
async function writeTo(output: Output, content: string | AsyncIterable<Uint8Array | string>, isText: boolean): Promise<void> {
  const failed = new Promise<never>((_, reject) => void output.once('error', reject));
  failed.catch(() => {});
  const put = async (chunk: string | Uint8Array): Promise<void> => {
    if (!output.write(chunk)) await Promise.race([failed, new Promise((resolve) => void output.once('drain', resolve))]);
  };
  let last: number | undefined;
  for await (const chunk of typeof content === 'string' ? [content] : content) {
    await put(chunk);
    last = typeof chunk === 'string' ? undefined : chunk.at(-1);
  }
  if (isText && last !== undefined && last !== 0x0a) await put('\n');
}
