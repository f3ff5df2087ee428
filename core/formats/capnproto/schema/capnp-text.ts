import { SchemaError } from '../../../errors.ts';
import { besideOf } from '../../../format/beside-of.ts';
import { unknownType } from '../../../format/unknown-type.ts';
import { Names } from './capnp-names.ts';
import { type Declaration, type Fail, fileOf, nameOf, parseCapnp } from './capnp-parser.ts';
import { TextNodes } from './capnp-structs.ts';
import { Defaults } from './capnp-values.ts';
import { Linker, UNBOUND } from './linker.ts';
import type { CapnProtoSchema } from './schema.ts';

/** Limit on the characters of all texts together, and on the declarations and fields. */
const MAX_LENGTH = 16_000_000;
const MAX_COUNT = 100_000;
const MAX_FILES = 1_000;

/**
 * Reads a schema from a `.capnp` text and the texts that it imports, by their paths: the same schema as from the request that
 * `capnp compile` writes. Only imports that the struct needs must be given. Throws a SchemaError with the file, the line and the column.
 */
export function readCapnpText(text: string, imports: Readonly<Record<string, string>>, struct: string): CapnProtoSchema {
  const files = new Files(imports);
  const names = new Names((path, from, fail) => files.import(path, from, fail));
  const linker = new Linker(new TextNodes(names));
  const root = linker.struct(names.idOf(files.find(files.read(text, ''), struct)), UNBOUND);
  // Constants in defaults may have types that the schema has not.
  const [types, structs, enums] = [linker.types.slice(), linker.structs.slice(), linker.enums.slice()];
  return { root, types, structs, enums, request: new Defaults(linker, names).write() };
}

/** The files of a schema, each parsed when it is first needed. */
class Files {
  readonly #imports: Readonly<Record<string, string>>;
  /** By their texts, as a file may be imported by several paths. */
  readonly #files = new Map<string, Declaration>();
  #length = 0;
  #count = 0;

  constructor(imports: Readonly<Record<string, string>>) {
    this.#imports = imports;
  }

  read(text: string, path: string): Declaration {
    const known = this.#files.get(text);
    if (known) return known;
    this.#length += text.length;
    if (this.#length > MAX_LENGTH) throw new SchemaError(`the .capnp texts have more than ${MAX_LENGTH} characters`);
    if (this.#files.size >= MAX_FILES) throw new SchemaError(`the imports of the .capnp text exceed ${MAX_FILES} files`);
    const file = parseCapnp(text, path, (fail) => {
      this.#count += 1;
      return this.#count > MAX_COUNT ? fail(`the schema has more than ${MAX_COUNT} declarations and fields`) : this.#count;
    });
    this.#files.set(text, file);
    return file;
  }

  /** Finds an imported file: by its path as written, without a leading `/`, or in the folder of the importing file. */
  import(path: string, from: string, fail: Fail): Declaration {
    const found = [path, path.replace(/^\//, ''), besideOf(from, path)].find((each) => Object.hasOwn(this.#imports, each));
    return this.read(this.#imports[found ?? fail(`the imported file ${path.slice(0, 100)} is not in imports`)]!, found!);
  }

  /** The struct with a name, `Outer.Inner`: in the file, else in one that it may import, which `file.capnp:Name` specifies. */
  find(file: Declaration, name: string): Declaration {
    const own = structsOf(file);
    const found = own.get(name);
    if (found) return found;
    const imported = Object.entries(this.#imports).flatMap(([path, text]) => {
      const declaration = structsOf(this.read(text, path)).get(name.slice(name.lastIndexOf(':') + 1));
      return declaration && (name.includes(':') ? `${path}:`.endsWith(`${name.slice(0, name.lastIndexOf(':'))}:`) : true) ? [declaration] : [];
    });
    const [first, ...others] = new Set(imported);
    if (first === undefined) throw unknownType('struct', name, [...own.keys()]);
    if (others.length > 0) throw new SchemaError(`ambiguous struct ${name}: ${[first, ...others].map(fullName).join(', ')}`);
    return first;
  }
}

/** The structs of a file by their names. */
function structsOf(file: Declaration): Map<string, Declaration> {
  const found = new Map<string, Declaration>();
  const add = (scope: Declaration): void => {
    for (const each of scope.declarations.values()) {
      if (each.kind === 'struct') found.set(nameOf(each), each);
      add(each);
    }
  };
  add(file);
  return found;
}

const fullName = (declaration: Declaration): string => `${fileOf(declaration).name}:${nameOf(declaration)}`;
