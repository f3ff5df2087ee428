import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A program and its arguments. */
export type Command = readonly [program: string, ...parameters: string[]];

/** Request to a reference implementation. */
export interface Asked {
  /** Root of the repository. */
  root: string;
  python: string;
  corpora: string;
  count: number;
  seed: number;
  /** True if the cases become a fixture. */
  keep: boolean;
}

/** A reference implementation in another language. */
export interface Witness {
  /** Number of cases in the fixture. */
  kept: number;
  /** Names what is missing; undefined if it can run. */
  missing(asked: Asked): string | undefined;
  /** Command that prints cases: see `CasesHeader`. */
  make(asked: Asked): Command;
  /** Command that reads bytes of both sides: see python/read_back.py. */
  read(asked: Asked): Command;
}

/** Reference implementations by id. */
export const WITNESSES: Readonly<Record<string, Witness>> = {
  json: python('json_values.py', ['json'], 200),
  messagepack: python('messagepack_values.py', ['msgpack'], 300),
  cbor: python('cbor_values.py', ['cbor2'], 300),
  bson: python('bson_documents.py', ['bson', 'pymongo'], 200),
  avro: python('avro_data.py', ['fastavro'], 300),
  protobuf: python('protobuf_messages.py', ['google.protobuf', 'grpc_tools'], 2000, true),
  'go-json': go('json'),
  'go-messagepack': go('messagepack'),
  'go-cbor': go('cbor'),
  'go-bson': go('bson'),
};

/** Upper bound for the output of a program. */
const MAX_OUTPUT = 1_000_000_000;

function python(script: string, modules: readonly string[], kept: number, needsCorpora = false): Witness {
  const folder = (root: string): string => join(root, 'tests/witnesses/python');
  return {
    kept,
    missing: (asked) => {
      for (const name of modules) {
        const { status, error } = spawnSync(asked.python, ['-c', `import ${name}`]);
        if (error) return asked.python;
        if (status !== 0) return `Python's module ${name}`;
      }
      return needsCorpora && !existsSync(asked.corpora) ? `the folder of corpora ${asked.corpora}` : undefined;
    },
    make: ({ root, python: program, count, seed, corpora, keep }) => {
      const settings = ['--count', String(count), '--seed', String(seed), '--corpora', corpora, ...(keep ? ['--keep'] : [])];
      return [program, join(folder(root), script), ...settings];
    },
    read: ({ root, python: program }) => [program, join(folder(root), 'read_back.py')],
  };
}

/** The built program of `go/`; undefined if it cannot be built. */
let built: { program: string | undefined } | undefined;

function go(format: string): Witness {
  const program = ({ root }: Asked): string | undefined => {
    if (!built) {
      const folder = mkdtempSync(join(tmpdir(), 'unspool-go-'));
      process.once('exit', () => rmSync(folder, { recursive: true }));
      const path = join(folder, 'witness');
      const { status } = spawnSync('go', ['build', '-o', path, '.'], {
        cwd: join(root, 'tests/witnesses/go'),
        stdio: ['ignore', 'ignore', 'inherit'],
      });
      built = { program: status === 0 ? path : undefined };
    }
    return built.program;
  };
  return {
    kept: 120,
    missing: (asked) => (program(asked) === undefined ? 'Go, or a module of tests/witnesses/go,' : undefined),
    make: (asked) => [program(asked)!, 'make', format, String(asked.seed), String(asked.count)],
    read: (asked) => [program(asked)!, 'read'],
  };
}

/** Runs a program and returns its output. Throws if it fails. */
export function outputOf([program, ...parameters]: Command, input?: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, parameters, { input, encoding: 'utf8', maxBuffer: MAX_OUTPUT });
  if (status !== 0) throw new Error(`${program} ${parameters.join(' ')} failed: ${stderr || String(error)}`);
  return stdout;
}
