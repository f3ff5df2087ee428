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
import { minify } from '@swc/core';
import * as esbuild from 'esbuild';
import * as vite from 'vite';
import webpack from 'webpack';

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

/** Generators of code for Protocol Buffers. */
export const GENERATORS = [
  'protobuf-es 2',
  'protobuf-es 1',
  'protobuf-ts',
  'ts-proto',
  'protobuf.js static',
  'protobuf.js JSON',
  'google-protobuf',
] as const;
export type Generator = (typeof GENERATORS)[number];

/** Builds the modules of a folder, which begin with `main.js`. Returns its scripts, by name. */
type Build = (folder: string, alias: Readonly<Record<string, string>>) => Promise<Map<string, string>>;

/** Tools that build and minify applications, with their defaults for production. SWC and Closure are given a bundle that esbuild made. */
const BUILDS = { Vite: withVite, webpack: withWebpack, esbuild: withEsbuild, SWC: withSwc, Closure: withClosure } satisfies Record<string, Build>;
export type Builder = keyof typeof BUILDS;

/** Builds an application, which is minified. Returns its scripts, by name. */
export async function buildApplication(generator: Generator, proto: Proto): Promise<Map<string, string>> {
  return (await buildApplicationWith(generator, proto, ['Vite'])).get('Vite')!;
}

/** Builds an application with several tools. Returns its scripts, by tool and name. */
export async function buildApplicationWith(
  generator: Generator,
  proto: Proto,
  builders: readonly Builder[],
): Promise<Map<Builder, Map<string, string>>> {
  const folder = join(MODULES, '.generated', `${generator.replaceAll(/\W/g, '-')}-${proto.name}-${process.pid}`);
  const alias = generator === 'protobuf-es 1' ? { '@bufbuild/protobuf': join(MODULES, 'protobuf-es-1') } : {};
  const built = new Map<Builder, Map<string, string>>();
  try {
    await generate(generator, proto, folder);
    for (const builder of builders) {
      built.set(builder, await BUILDS[builder](folder, alias));
      await rm(join(folder, 'dist'), { recursive: true, force: true });
    }
    return built;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Builds the application whose main module is given. */
export async function buildMain(name: string, main: string): Promise<Map<string, string>> {
  const folder = join(MODULES, '.generated', `${name}-${process.pid}`);
  try {
    await put(folder, 'main.js', main);
    return await BUILDS.Vite(folder, {});
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withVite(folder: string, alias: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const out = join(folder, 'dist');
  await put(folder, 'index.html', '<script type="module" src="./main.js"></script>');
  await vite.build({
    configFile: false,
    root: folder,
    logLevel: 'error',
    resolve: { alias },
    build: { outDir: out, emptyOutDir: true },
  });
  return scriptsIn(join(out, 'assets'));
}

/** TypeScript becomes JavaScript before webpack reads it, as by a loader. */
async function withWebpack(folder: string, alias: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  for (const name of await readdir(join(folder, 'gen')).catch(() => [])) {
    if (!name.endsWith('.ts')) continue;
    const { code } = await esbuild.transform(await readFile(join(folder, 'gen', name), 'utf8'), { loader: 'ts' });
    await put(folder, `gen/${name}`, code);
  }
  const out = join(folder, 'dist');
  const compiler = webpack({
    mode: 'production',
    context: folder,
    entry: './main.js',
    resolve: { alias, extensions: ['.js', '.ts'] },
    module: { rules: [{ test: /\.ts$/, type: 'javascript/auto' }] },
    performance: false,
    output: { path: out },
  });
  await new Promise<void>((resolve, reject) => {
    compiler.run((error, stats) => (error || stats?.hasErrors() !== false ? reject(error ?? new Error(stats?.toString())) : resolve()));
  });
  await new Promise((resolve) => compiler.close(resolve));
  return scriptsIn(out);
}

async function bundled(
  folder: string,
  alias: Readonly<Record<string, string>>,
  options: Pick<esbuild.BuildOptions, 'minify' | 'format'>,
): Promise<string> {
  const { outputFiles } = await esbuild.build({
    absWorkingDir: folder,
    entryPoints: ['main.js'],
    bundle: true,
    alias: { ...alias },
    write: false,
    logLevel: 'silent',
    ...options,
  });
  return outputFiles[0]!.text;
}

async function withEsbuild(folder: string, alias: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  return new Map([['main.js', await bundled(folder, alias, { minify: true, format: 'esm' })]]);
}

async function withSwc(folder: string, alias: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  const { code } = await minify(await bundled(folder, alias, { format: 'esm' }), { module: true, compress: true, mangle: true });
  return new Map([['main.js', code]]);
}

async function withClosure(folder: string, alias: Readonly<Record<string, string>>): Promise<Map<string, string>> {
  await put(folder, 'bundle.js', await bundled(folder, alias, { format: 'iife' }));
  const script = join(MODULES, 'google-closure-compiler/cli.js');
  const args = ['--js', join(folder, 'bundle.js'), '--compilation_level', 'SIMPLE', '--warning_level', 'QUIET'];
  return new Map([['main.js', new TextDecoder().decode(await run(script, args))]]);
}

async function scriptsIn(folder: string): Promise<Map<string, string>> {
  const scripts = new Map<string, string>();
  for (const name of await readdir(folder)) if (name.endsWith('.js')) scripts.set(name, await readFile(join(folder, name), 'utf8'));
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

/** Writes the generated code of a proto to `gen/` in a folder, next to a main module that calls all methods. */
export async function generate(generator: Generator, proto: Proto, folder: string): Promise<void> {
  const plugin = PLUGINS[generator];
  if (plugin) {
    const { file } = fromBinary(FileDescriptorSetSchema, await descriptorSetOf(proto));
    const request = create(CodeGeneratorRequestSchema, { fileToGenerate: [`${proto.name}.proto`], parameter: plugin.parameter, protoFile: file });
    const answer = fromBinary(CodeGeneratorResponseSchema, await run(join(MODULES, plugin.bin), [], toBinary(CodeGeneratorRequestSchema, request)));
    if (answer.error) throw new Error(answer.error);
    for (const { name, content } of answer.file) await put(folder, `gen/${name}`, content);
  } else if (generator === 'google-protobuf') {
    const file = `${proto.name}_pb.js`;
    await put(folder, `gen/${file}`, await readFile(join(PROTOS, 'google', file), 'utf8'));
    await put(folder, `gen/${proto.name}_grpc_web_pb.js`, grpcWebClient(proto));
  } else {
    const target = generator === 'protobuf.js JSON' ? ['-t', 'json'] : ['-t', 'static-module', '-w', 'es6', '--es6'];
    const made = await run(join(MODULES, 'protobufjs-cli/bin/pbjs'), [...target, join(PROTOS, `${proto.name}.proto`)]);
    const text = new TextDecoder().decode(made);
    await put(folder, generator === 'protobuf.js JSON' ? 'gen/root.json' : 'gen/root.js', text);
  }
  if (generator === 'protobuf-es 1') await put(folder, `gen/${proto.name}_connect.js`, connectService(proto));
  // Without it, that of the repository would make all files modules.
  await put(folder, 'package.json', '{}');
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

/** The client as protoc-gen-grpc-web writes it. */
function grpcWebClient({ name, service, methods }: Proto): string {
  const namespace = service.slice(0, service.lastIndexOf('.'));
  const client = `proto.${service}Client`;
  return `const grpc = {};
grpc.web = require('grpc-web');
const proto = {};
${namespace
  .split('.')
  .map((_, at, all) => `proto.${all.slice(0, at + 1).join('.')} = ${at < all.length - 1 ? '{}' : `require('./${name}_pb.js')`};`)
  .join('\n')}
${client} = function(hostname, credentials, options) {
  if (!options) options = {};
  options.format = 'binary';
  this.client_ = new grpc.web.GrpcWebClientBase(options);
  this.hostname_ = hostname.replace(/\\/+$/, '');
  this.credentials_ = credentials;
  this.options_ = options;
};
${methods
  .map((method) => {
    const descriptor = `methodDescriptor_${last(service)}_${method.name}`;
    return `const ${descriptor} = new grpc.web.MethodDescriptor('/${service}/${method.name}', grpc.web.MethodType.UNARY,
  proto.${method.request}, proto.${method.response}, function(request) { return request.serializeBinary(); }, proto.${method.response}.deserializeBinary);
${client}.prototype.${lower(method.name)} = function(request, metadata, callback) {
  return this.client_.rpcCall(this.hostname_ + '/${service}/${method.name}', request, metadata || {}, ${descriptor}, callback);
};`;
  })
  .join('\n')}
module.exports = proto.${namespace};`;
}

const POST = 'const post = async (path, body) => new Uint8Array(await (await fetch(path, { method: "POST", body })).arrayBuffer());';

/** A script that runs statements. Closure knows no `await` outside a function. */
const started = (statements: string): string => `async function start() {\n${statements}\n}\nvoid start();`;

/** Main modules: each calls all methods, as an application built with the generator does. */
const MAINS: Readonly<Record<Generator, (proto: Proto) => string>> = {
  'protobuf-es 2': ({ name, service }) => `import { create, fromBinary, toBinary } from '@bufbuild/protobuf';
import { ${last(service)} } from './gen/${name}_pb.js';
${POST}
${started(`for (const { name, input, output, parent } of ${last(service)}.methods)
  console.log(fromBinary(output, await post('/' + parent.typeName + '/' + name, toBinary(input, create(input)))));`)}`,
  'protobuf-es 1': ({ name, service }) => `import { ${last(service)} } from './gen/${name}_connect.js';
${POST}
${started(`for (const { typeName, methods } of [${last(service)}]) for (const { name, I, O } of Object.values(methods))
  console.log(O.fromBinary(await post('/' + typeName + '/' + name, new I().toBinary())));`)}`,
  'protobuf-ts': ({ name, service, methods }) => `import { ${last(service)}Client } from './gen/${name}.client.ts';
import { ${methods.map(({ request }) => last(request)).join(', ')} } from './gen/${name}.ts';
${POST}
const transport = { mergeOptions: (options) => options ?? {}, unary: (method, input) => post('/' + method.service.typeName + '/' + method.name, method.I.toBinary(input)).then((bytes) => method.O.fromBinary(bytes)) };
const client = new ${last(service)}Client(transport);
${started(methods.map((method) => `console.log(await client.${lower(method.name)}(${last(method.request)}.create()));`).join('\n'))}`,
  'ts-proto': ({
    name,
    service,
    methods,
  }) => `import { ${[`${last(service)}ClientImpl`, ...methods.map(({ request }) => last(request))].join(', ')} } from './gen/${name}.ts';
${POST}
const client = new ${last(service)}ClientImpl({ request: (service, method, data) => post('/' + service + '/' + method, data) });
${started(methods.map((method) => `console.log(await client.${method.name}(${last(method.request)}.fromPartial({})));`).join('\n'))}`,
  'protobuf.js static': ({ service, methods }) => `import * as root from './gen/root.js';
${POST}
const { ${last(methods[0]!.response)}: Latest } = root.${service.slice(0, service.lastIndexOf('.'))};
const latest = async () => Latest.decode(new Uint8Array(await (await fetch('/latest')).arrayBuffer()));
const service = root.${service}.create((method, data, done) => post('/${service}/' + method.name, data).then((bytes) => done(null, bytes), done));
${started([...methods.map((method) => `console.log(await service.${lower(method.name)}({}));`), 'globalThis.latest = latest;'].join('\n'))}`,
  'protobuf.js JSON': ({ service, methods }) => `import protobuf from 'protobufjs/light.js';
import json from './gen/root.json';
${POST}
const service = protobuf.Root.fromJSON(json).lookupService('${service}').create((method, data, done) => post('/${service}/' + method.name, data).then((bytes) => done(null, bytes), done));
${started(methods.map((method) => `console.log(await service.${lower(method.name)}({}));`).join('\n'))}`,
  'google-protobuf': ({ name, service, methods }) => `import pb from './gen/${name}_pb.js';
import shop from './gen/${name}_grpc_web_pb.js';
const client = new shop.${last(service)}Client('http://localhost');
${methods.map((method) => `console.log(client.${lower(method.name)}(new pb.${last(method.request)}(), {}, () => undefined));`).join('\n')}`,
};
