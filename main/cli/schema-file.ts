/** A file with a schema. */
export interface SchemaFile {
  /** Name of a type that has none: that of the file, in Pascal case. */
  readonly name: string;
  /** Text, or the bytes of a binary schema. */
  readonly content: string | Uint8Array<ArrayBuffer>;
  /** Texts that it imports, directly or not, by their paths as written. */
  readonly imports: Readonly<Record<string, string>>;
}

/** The modules of Node that read files. */
export interface FileSystem {
  readonly existsSync: (path: string) => boolean;
  readonly readFileSync: (path: string) => Uint8Array<ArrayBuffer>;
  readonly resolve: (...paths: string[]) => string;
  readonly dirname: (path: string) => string;
}

/** Endings of files that hold no text. */
const BINARY = ['bfbs', 'binpb', 'desc', 'pb', 'request', 'bin'];

/** Reads a schema, and what it imports from the folders of the files that import it or from `folders`. */
export function readSchemaFile(path: string, folders: readonly string[], files: FileSystem): SchemaFile {
  const base = path.replace(/^.*[\\/]/, '').replace(/\.\w+$/, '');
  const name = base.replaceAll(/(?:^|[^A-Za-z0-9]+)([A-Za-z0-9])/g, (_, letter: string) => letter.toUpperCase());
  const bytes = files.readFileSync(path);
  if (BINARY.includes(endingOf(path))) return { name, content: bytes, imports: {} };
  const text = (from: Uint8Array): string => new TextDecoder('utf-8', { fatal: true }).decode(from);
  const content = text(bytes);
  const imports: Record<string, string> = {};
  const queue: [text: string, path: string][] = endingOf(path) === 'proto' || endingOf(path) === 'bop' ? [[content, path]] : [];
  for (const [source, importer] of queue) {
    for (const [, imported] of withoutComments(source).matchAll(/^\s*import\s+(?:public\s+|weak\s+)?["']([^"']+)["']/gm)) {
      if (imported === undefined || Object.hasOwn(imports, imported)) continue;
      const found = [files.dirname(importer), ...folders].map((folder) => files.resolve(folder, imported)).find(files.existsSync);
      // The compiler of the schema says which types are missing, if any.
      if (found === undefined) continue;
      imports[imported] = text(files.readFileSync(found));
      queue.push([imports[imported], found]);
    }
  }
  return { name, content, imports };
}

/** The ending of a path, in lower case and without its dot. */
export function endingOf(path: string): string {
  return /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
}

/** A text without comments of C. Comments inside strings go too. */
export function withoutComments(text: string): string {
  return text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
}
