/** Compiles the packed types as applications do: with checks of the declarations themselves, and with the compilers in use. */
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { FORMATS, NAMED_FORMS } from '../../core/formats/registry.ts';
import { ROOT } from '../../scripts/run.mjs';
import { canInstall, install } from '../setup/build/npm.ts';
import { makeApplication } from './bundlers/package.ts';

const run = promisify(execFile);

/** The oldest version of TypeScript that README names, and the last three minor ones, which are installed for this test only. */
const COMPILERS = ['5.7', '5.9', '6.0', '7.0'];
/** Entries that need the types of pages. */
const WITH_DOM = ['service-worker', 'register', 'socket'];
const EVERYWHERE = ['', 'inline', 'encode', 'sync', 'partial', 'changes', 'json-schema', 'registry', 'validate', 'server'];

const USE = `
import { createDecoder, defineSchema, MEDIA_TYPES } from 'unspool';
import { createEncoder } from 'unspool/encode';
import { decodeSync, encodeSync } from 'unspool/sync';
import messagepack from 'unspool/formats/messagepack';
import messagepackEncoder from 'unspool/encoders/messagepack';

interface Trip { id: number; at: Date | null }
const decoder = createDecoder({ timeout: undefined, schemas: undefined });
export const rows = await decoder.decode<{ trips: Trip[] }>(new Uint8Array(), { as: 'rows', format: 'cbor', options: { maps: undefined } });
export const ids: Float64Array = rows.trips.column('id', { as: 'float64' });
export const trips: Trip[] = await (await decoder.fetch('https://example.com')).json<Trip[]>();
export const bytes: Uint8Array = await createEncoder().encode(trips, { format: 'json' });
export const again: Trip[] = decodeSync<Trip[]>(messagepack, encodeSync(messagepackEncoder, trips));
export const schema = defineSchema({ format: 'avro', schema: { type: 'array', items: 'int' } });
export const numbers: number[] = await decoder.decode(bytes, { schema });
export const types: readonly string[] = MEDIA_TYPES.cbor;
`;

const isPossible = await canInstall();
let folder: string;

beforeAll(async () => {
  if (!isPossible) return;
  folder = await mkdtemp(join(tmpdir(), 'unspool-types-'));
  await makeApplication(join(folder, 'app'));
  // The types of Node, which have what applications without `dom` use.
  await mkdir(join(folder, 'app/node_modules/@types'), { recursive: true });
  await symlink(join(ROOT, 'node_modules/@types/node'), join(folder, 'app/node_modules/@types/node'), 'junction');
  await writeFile(join(folder, 'app/package.json'), JSON.stringify({ name: 'app', type: 'module', private: true }));
  const formats = [...FORMATS, ...NAMED_FORMS].flatMap(({ id }) => [`formats/${id}`, `encoders/${id}`]);
  const imports = (entries: string[]): string => entries.map((entry) => `import ${JSON.stringify(`unspool${entry && `/${entry}`}`)};\n`).join('');
  await writeFile(join(folder, 'app/node.ts'), imports([...EVERYWHERE, ...formats]) + USE);
  await writeFile(join(folder, 'app/page.ts'), imports([...EVERYWHERE, ...WITH_DOM, ...formats]) + USE);
  await install(folder, ...COMPILERS.map((version) => `typescript-${version}@npm:typescript@~${version}.0`));
});

afterAll(async () => {
  if (isPossible) await rm(folder, { recursive: true, force: true });
});

describe.skipIf(!isPossible).each(COMPILERS)('the packed types in TypeScript %s', (version) => {
  it.each([
    ['a page', 'page', { lib: ['es2022', 'dom', 'dom.iterable'], types: [] }],
    ['Node, without dom', 'node', { lib: ['es2022'], types: ['node'] }],
  ])(
    'compile for %s, strictly and with skipLibCheck off',
    async (_, name, globals) => {
      const compilerOptions = {
        noEmit: true,
        strict: true,
        exactOptionalPropertyTypes: true,
        skipLibCheck: false,
        target: 'es2022',
        module: 'nodenext',
        moduleResolution: 'nodenext',
        ...globals,
      };
      const project = join(folder, 'app', `tsconfig.${name}.json`);
      await writeFile(project, JSON.stringify({ compilerOptions, files: [`${name}.ts`] }));
      const compiler = join(folder, `node_modules/typescript-${version}/bin/tsc`);
      const { stdout } = await run(process.execPath, [compiler, '-p', project]).catch((error: { stdout: string }) => error);
      expect(stdout).toBe('');
    },
    120_000,
  );
});
