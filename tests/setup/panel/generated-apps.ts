import { execFile } from 'node:child_process';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import {
  CodeGeneratorRequestSchema,
  CodeGeneratorResponseSchema,
  type DescriptorProto,
  type FileDescriptorSet,
  FileDescriptorSetSchema,
} from '@bufbuild/protobuf/wkt';
import protobufjs from 'protobufjs';
import 'protobufjs/ext/descriptor/index.js';
import * as vite from 'vite';

/** Repository, whose packages the applications use. */
const ROOT = join(import.meta.dirname, '../../..');
const PROTOS = join(ROOT, 'tests/fixtures/generated');
const MODULES = join(ROOT, 'node_modules');

/** A `.proto` of the fixtures: its name without extension, service, and methods. */
export interface Proto {
  name: 'shop' | 'chat';
  service: string;
  methods: readonly { name: string; request: string; response: string }[];
}

export const SHOP: Proto = {
  name: 'shop',
  service: 'shop.v1.OrderService',
  methods: [
    { name: 'Get', request: 'shop.v1.GetRequest', response: 'shop.v1.Order' },
    { name: 'List', request: 'shop.v1.ListRequest', response: 'shop.v1.ListResponse' },
  ],
};
export const CHAT: Proto = {
  name: 'chat',
  service: 'team.chat.ChatService',
  methods: [{ name: 'Send', request: 'team.chat.SendRequest', response: 'team.chat.SendResponse' }],
};

/** FileDescriptorSet of a proto, as protoc makes it. */
export async function descriptorSetOf({ name }: Proto): Promise<Uint8Array> {
  const root = protobufjs.parse(await readFile(join(PROTOS, `${name}.proto`), 'utf8'), { keepCase: true }).root.resolveAll();
  const set = (root as unknown as { toDescriptor(edition: string): protobufjs.Message }).toDescriptor('proto3');
  const bytes = (set.constructor as unknown as { encode(message: protobufjs.Message): { finish(): Uint8Array } }).encode(set).finish();
  return withFullNames(fromBinary(FileDescriptorSetSchema, bytes), `${name}.proto`);
}

/** The set with full type names, which protobuf.js shortens. */
function withFullNames(set: FileDescriptorSet, fileName: string): Uint8Array {
  const known = new Set<string>();
  const visit = (message: DescriptorProto, outer: string, each: (message: DescriptorProto, name: string) => void): void => {
    const name = `${outer}.${message.name}`;
    each(message, name);
    for (const nested of message.nestedType) visit(nested, name, each);
  };
  const resolve = (name: string, scope: string): string => {
    if (name === '' || name.startsWith('.')) return name;
    let outer = scope;
    while (outer !== '' && !known.has(`${outer}.${name}`)) outer = outer.slice(0, outer.lastIndexOf('.'));
    return `${outer}.${name}`;
  };
  for (const file of set.file) {
    const scope = file.package === '' ? '' : `.${file.package}`;
    for (const { name } of file.enumType) known.add(`${scope}.${name}`);
    for (const message of file.messageType) visit(message, scope, (_, name) => void known.add(name));
  }
  for (const file of set.file) {
    const scope = file.package === '' ? '' : `.${file.package}`;
    if (file.messageType.length > 0) file.name = fileName;
    for (const message of file.messageType)
      visit(message, scope, ({ field }, name) => {
        for (const one of field) one.typeName = resolve(one.typeName, name);
      });
    for (const { method } of file.service)
      for (const one of method) Object.assign(one, { inputType: resolve(one.inputType, scope), outputType: resolve(one.outputType, scope) });
  }
  return toBinary(FileDescriptorSetSchema, set);
}

/** Generators, and how they are called. */
export type Generator = 'protobuf-es 2' | 'protobuf-es 1' | 'protobuf-ts' | 'ts-proto' | 'protobuf.js static' | 'protobuf.js JSON';

/** Builds an application with Vite's defaults, which minify. Returns its scripts, by name. */
export async function buildApplication(generator: Generator, proto: Proto): Promise<Map<string, string>> {
  const folder = join(MODULES, '.generated', `${generator.replaceAll(/\W/g, '-')}-${proto.name}-${process.pid}`);
  try {
    await generate(generator, proto, folder);
    return await build(folder, generator);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds the application whose main module is given. */
export async function buildMain(name: string, main: string): Promise<Map<string, string>> {
  const folder = join(MODULES, '.generated', `${name}-${process.pid}`);
  try {
    await put(folder, 'main.js', main);
    return await build(folder);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function build(folder: string, generator?: Generator): Promise<Map<string, string>> {
  const out = join(folder, 'dist');
  await put(folder, 'index.html', '<script type="module" src="./main.js"></script>');
  await vite.build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    ...(generator === 'protobuf-es 1' && { resolve: { alias: { '@bufbuild/protobuf': join(MODULES, 'protobuf-es-1') } } }),
    build: { outDir: out, emptyOutDir: true },
  });
  const scripts = new Map<string, string>();
  for (const name of await readdir(join(out, 'assets')))
    if (name.endsWith('.js')) scripts.set(name, await readFile(join(out, 'assets', name), 'utf8'));
  return scripts;
}

async function put(folder: string, path: string, content: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true });
  await writeFile(join(folder, path), content);
}

/** Plugins of protoc, with the options that a project of today uses. */
const PLUGINS: Partial<Record<Generator, { bin: string; parameter: string }>> = {
  'protobuf-es 2': { bin: '@bufbuild/protoc-gen-es/bin/protoc-gen-es', parameter: 'target=js' },
  'protobuf-es 1': { bin: 'protoc-gen-es-1/bin/protoc-gen-es', parameter: 'target=js' },
  'protobuf-ts': { bin: '@protobuf-ts/plugin/bin/protoc-gen-ts', parameter: '' },
  'ts-proto': { bin: 'ts-proto/protoc-gen-ts_proto', parameter: 'esModuleInterop=true' },
};

async function generate(generator: Generator, proto: Proto, folder: string): Promise<void> {
  const plugin = PLUGINS[generator];
  if (plugin) {
    const { file } = fromBinary(FileDescriptorSetSchema, await descriptorSetOf(proto));
    const request = create(CodeGeneratorRequestSchema, { fileToGenerate: [`${proto.name}.proto`], parameter: plugin.parameter, protoFile: file });
    const answer = fromBinary(CodeGeneratorResponseSchema, await run(join(MODULES, plugin.bin), [], toBinary(CodeGeneratorRequestSchema, request)));
    if (answer.error) throw new Error(answer.error);
    for (const { name, content } of answer.file) await put(folder, `gen/${name}`, content);
  } else {
    const target = generator === 'protobuf.js JSON' ? ['-t', 'json'] : ['-t', 'static-module', '-w', 'es6', '--es6'];
    const made = await run(join(MODULES, 'protobufjs-cli/bin/pbjs'), [...target, join(PROTOS, `${proto.name}.proto`)]);
    const text = new TextDecoder().decode(made);
    await put(folder, generator === 'protobuf.js JSON' ? 'gen/root.json' : 'gen/root.js', text);
  }
  if (generator === 'protobuf-es 1') await put(folder, `gen/${proto.name}_connect.js`, connectService(proto));
  await put(folder, 'main.js', MAINS[generator](proto));
}

async function run(script: string, args: readonly string[], input?: Uint8Array): Promise<Uint8Array> {
  const running = promisify(execFile)(process.execPath, [script, ...args], { encoding: 'buffer', maxBuffer: 64 << 20 });
  running.child.stdin!.end(input);
  return (await running).stdout;
}

const last = (name: string): string => name.slice(name.lastIndexOf('.') + 1);
const lower = (name: string): string => name.charAt(0).toLowerCase() + name.slice(1);

/** The service as protoc-gen-connect-es 1 writes it. */
function connectService({ name, service, methods }: Proto): string {
  const types = methods.flatMap(({ request, response }) => [last(request), last(response)]);
  const list = methods.map(
    (method) => `${lower(method.name)}: { name: "${method.name}", I: ${last(method.request)}, O: ${last(method.response)}, kind: MethodKind.Unary },`,
  );
  return `import { ${types.join(', ')} } from './${name}_pb.js';
import { MethodKind } from '@bufbuild/protobuf';
export const ${last(service)} = { typeName: "${service}", methods: { ${list.join('\n')} } };`;
}

const POST = 'const post = async (path, body) => new Uint8Array(await (await fetch(path, { method: "POST", body })).arrayBuffer());';

/** Main modules: each calls all methods, as an application built with the generator does. */
const MAINS: Readonly<Record<Generator, (proto: Proto) => string>> = {
  'protobuf-es 2': ({ name, service }) => `import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ${last(service)} } from './gen/${name}_pb.js';
${POST}
for (const { name, input, output, parent } of ${last(service)}.methods)
  console.log(fromBinary(output, await post('/' + parent.typeName + '/' + name, toBinary(input, create(input)))));`,
  'protobuf-es 1': ({ name, service }) => `import { ${last(service)} } from './gen/${name}_connect.js';
${POST}
for (const { name, I, O } of Object.values(${last(service)}.methods))
  console.log(O.fromBinary(await post('/' + ${last(service)}.typeName + '/' + name, new I().toBinary())));`,
  'protobuf-ts': ({ name, service, methods }) => `import { ${last(service)}Client } from './gen/${name}.client.ts';
import { ${methods.map(({ request }) => last(request)).join(', ')} } from './gen/${name}.ts';
${POST}
const transport = { mergeOptions: (options) => options ?? {}, unary: (method, input) => post('/' + method.service.typeName + '/' + method.name, method.I.toBinary(input)).then((bytes) => method.O.fromBinary(bytes)) };
const client = new ${last(service)}Client(transport);
${methods.map((method) => `console.log(await client.${lower(method.name)}(${last(method.request)}.create()));`).join('\n')}`,
  'ts-proto': ({
    name,
    service,
    methods,
  }) => `import { ${[`${last(service)}ClientImpl`, ...methods.map(({ request }) => last(request))].join(', ')} } from './gen/${name}.ts';
${POST}
const client = new ${last(service)}ClientImpl({ request: (service, method, data) => post('/' + service + '/' + method, data) });
${methods.map((method) => `console.log(await client.${method.name}(${last(method.request)}.fromPartial({})));`).join('\n')}`,
  'protobuf.js static': ({ service, methods }) => `import * as root from './gen/root.js';
${POST}
const service = root.${service}.create((method, data, done) => post('/${service}/' + method.name, data).then((bytes) => done(null, bytes), done));
${methods.map((method) => `console.log(await service.${lower(method.name)}({}));`).join('\n')}`,
  'protobuf.js JSON': ({ service, methods }) => `import protobuf from 'protobufjs/light.js';
import json from './gen/root.json';
${POST}
const service = protobuf.Root.fromJSON(json).lookupService('${service}').create((method, data, done) => post('/${service}/' + method.name, data).then((bytes) => done(null, bytes), done));
${methods.map((method) => `console.log(await service.${lower(method.name)}({}));`).join('\n')}`,
};
