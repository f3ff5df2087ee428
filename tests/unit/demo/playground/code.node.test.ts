import { spawnSync } from 'node:child_process';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { CODE_TARGETS, codeFor, type CodeSetting, RESULT_CHOICES } from '../../../../demo/playground/code.ts';
import { ROOT } from '../../../../scripts/run.mjs';

const DECLARATIONS = 'interface Root {\n  trips: Trips[];\n}\n\ninterface Trips {\n  id: number;\n  name: string;\n  lat: number;\n}\n';
const base: CodeSetting = {
  format: 'messagepack',
  options: {},
  as: 'objects',
  pick: ['trips.id', 'trips.name'],
  schema: undefined,
  declarations: DECLARATIONS,
  type: 'Root',
};
const SETTINGS: Record<string, Partial<CodeSetting>> = {
  messagepack: {},
  records: { writing: { records: true } },
  'cbor-records': { format: 'cbor', writing: { records: true } },
  json: { format: 'json', options: { sequence: true } },
  unknown: { format: 'cbor', declarations: undefined },
  protobuf: { format: 'protobuf', options: { names: 'proto' }, schema: { file: 'trips.proto', type: "town.Trip's" } },
  descriptors: { format: 'protobuf', schema: { file: 'trips.desc', type: 'town.Trips' } },
  avro: { format: 'avro', schema: { file: 'trips.avsc', type: '' } },
  bebop: { format: 'bebop', schema: { file: 'trips.bop', type: 'Trips' } },
  fbs: { format: 'flatbuffers', schema: { file: 'trips.fbs', type: 'Trips' } },
  bfbs: { format: 'flatbuffers', schema: { file: 'trips.bfbs', type: '' } },
  capnproto: { format: 'capnproto', schema: { file: 'trips.request', type: 'Trips' } },
};

it('the code for each target, format and result compiles against the library', async () => {
  const folder = join(ROOT, 'node_modules/.cache/playground-code');
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  const files: [name: string, code: string][] = [];
  for (const [name, setting] of Object.entries(SETTINGS)) {
    for (const { value: target } of CODE_TARGETS) {
      const results = target === 'fetch' || target === 'query' ? RESULT_CHOICES.map(({ value }) => value) : (['objects'] as const);
      for (const as of results) files.push([`${name}-${target}-${as}.ts`, `${codeFor(target, { ...base, ...setting, as })}export {};\n`]);
    }
  }
  await Promise.all(files.map(([name, code]) => writeFile(join(folder, name), code)));
  const paths = {
    unspool: ['main/index.ts'],
    'unspool/server': ['main/server.ts'],
    'unspool/service-worker': ['main/service-worker/index.ts'],
    'unspool/formats/*': ['core/formats/*/index.ts'],
  };
  const options = {
    extends: join(ROOT, 'tsconfig.base.json'),
    compilerOptions: {
      types: ['node', 'vite/client'],
      lib: ['ES2023', 'ESNext.Disposable', 'DOM', 'DOM.Iterable', 'DOM.AsyncIterable'],
      noUnusedLocals: false,
      noUnusedParameters: false,
      paths: Object.fromEntries(Object.entries(paths).map(([name, [path]]) => [name, [join(ROOT, path!)]])),
    },
    include: ['*.ts'],
  };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(options));
  const { stdout } = spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], {
    encoding: 'utf8',
  });
  expect(stdout).toBe('');
  expect(files.length).toBeGreaterThan(100);
});
