import { SchemaError } from '../../core/errors.ts';
import { ABOUT } from '../../core/formats/registry.ts';

/** A file with a schema. */
export interface SchemaFile {
  /** Name of a type that has none: that of the file, in Pascal case. */
  readonly name: string;
  /** Text, or the bytes of a binary schema. */
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** Texts that it imports, directly or not, by their paths as written. */
  readonly imports: Readonly<Record<string, string>>;
  /** Imports that were not found. */
  readonly missing?: readonly string[];
}

/** The modules of Node that read files. */
export interface FileSystem {
  readonly statSync: (path: string, options: { throwIfNoEntry: false }) => { isFile(): boolean; isDirectory(): boolean } | undefined;
  readonly readFileSync: (path: string) => Uint8Array<ArrayBuffer>;
  readonly resolve: (...paths: string[]) => string;
  readonly dirname: (path: string) => string;
}

/** Endings of files that hold no text. */
const BINARY = [
  'bin',
  ...Object.values(ABOUT).flatMap(({ schemaFiles = {} }) => Object.keys(schemaFiles).filter((ending) => schemaFiles[ending] !== 'text')),
];

/** Endings of files that are schemas whatever they contain. */
const ENDINGS = Object.values(ABOUT).flatMap(({ schemaFiles = {} }) =>
  Object.keys(schemaFiles).filter((ending) => schemaFiles[ending] !== 'doubtful'),
);

/** The schemas among the files of a folder, in order. Throws a SchemaError without any. */
export function schemaFilesIn(folder: string, files: readonly string[]): string[] {
  const found = files.filter((file) => isJsonSchema(file) || ENDINGS.includes(endingOf(file))).toSorted();
  if (found.length === 0)
    throw new SchemaError(`the folder ${folder} has no schema: expected a file that ends in .${ENDINGS.join(', .')} or .schema.json`);
  return found.map((file) => `${folder.replace(/[/\\]$/, '')}/${file}`);
}

/** Reads a schema, and what it imports from the folders of the files that import it or from `folders`. */
export function readSchemaFile(path: string, folders: readonly string[], files: FileSystem): SchemaFile {
  const name = baseNameOf(path)
    .replace(/(?:\.schema)?\.\w+$/, '')
    .split(/[^A-Za-z0-9]+/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');
  const bytes = files.readFileSync(path);
  if (BINARY.includes(endingOf(path))) return { name, content: bytes, imports: {} };
  const text = (from: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(from);
  const content = text(bytes);
  const imports: Record<string, string> = {};
  const missing: string[] = [];
  const isProto = endingOf(path) === 'proto';
  const isCapnp = endingOf(path) === 'capnp';
  const queue: [text: string, path: string][] = ['proto', 'bop', 'fbs', 'capnp'].includes(endingOf(path)) ? [[content, path]] : [];
  // Folders whose files may be read, each with a separator at its end.
  const roots = [files.dirname(path), ...folders].map((folder) => files.resolve(folder, '_').slice(0, -1));
  for (const [source, importer] of queue) {
    for (const [, imported] of (isCapnp ? source.replaceAll(/#.*/g, '') : withoutComments(source)).matchAll(
      /\b(?:import|include)\s+(?:public\s+|weak\s+)?["']([^"']+)["']/g,
    )) {
      if (imported === undefined || Object.hasOwn(imports, imported)) continue;
      if (isProto) checkImport(imported, importer);
      const found = [files.dirname(importer), ...folders]
        // `/capnp/c++.capnp` is a path in one of the folders.
        .map((folder) => files.resolve(folder, isCapnp ? imported.replace(/^\//, '') : imported))
        .find((each) => files.statSync(each, { throwIfNoEntry: false })?.isFile());
      // The compiler of the schema says which types are missing, if any.
      if (found === undefined) {
        missing.push(imported);
        continue;
      }
      if (!roots.some((root) => found.startsWith(root))) {
        throw new SchemaError(`cannot import ${JSON.stringify(imported)} in ${importer}: ${found} is in none of the folders: add its folder with -I`);
      }
      imports[imported] = text(files.readFileSync(found));
      queue.push([imports[imported], found]);
    }
  }
  return { name, content, imports, missing };
}

/** Throws if protoc forbids the path of an import (https://protobuf.dev/programming-guides/proto3/#importing). */
function checkImport(path: string, importer: string): void {
  if (!path.includes('\\') && path.split('/').every((part) => part !== '' && part !== '.' && part !== '..')) return;
  throw new SchemaError(
    `cannot import ${JSON.stringify(path)} in ${importer}: the path must be relative, with slashes and without "." or "..": add the folder that it begins in with -I`,
  );
}

/** The name of a file without its folders. */
export function baseNameOf(path: string): string {
  return path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1);
}

/** The ending of a path, in lower case and without its dot. */
export function endingOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** True for the path of a JSON Schema. */
export function isJsonSchema(path: string): boolean {
  return /\.schema\.json$/i.test(path);
}

/** A text without comments of C; one that does not end takes the rest. Comments inside strings go too. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[^]*?(?:\*\/|$)|\/\/.*/g, '');
}
