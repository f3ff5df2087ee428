#!/usr/bin/env node
/**
 * Writes the code that an application would have generated for each library that needs some, from the schemas of the
 * payloads in `demo/server/schemas`: see README.md. Needs `protoc`, `flatc` and `capnp` on the path.
 */
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build, transformSync } from 'esbuild';
import { compileRaw } from 'pbf/compile';
import parseProto from 'protocol-buffers-schema';
import protobufjs from 'protobufjs';

const HERE = fileURLToPath(new URL('.', import.meta.url));
const SCHEMAS = fileURLToPath(new URL('../../demo/server/schemas', import.meta.url));
const DATASETS = ['trips', 'numbers'];
/** By type how protoc-gen-js reads, sets and writes a field, its default, and whether it is there. */
const READS = /** @type {Record<string, [read: string, set: string, write: string, value: string, isThere: string]>} */ ({
  string: ['readStringRequireUtf8', 'setProto3StringField', 'writeString', '""', 'f.length > 0'],
  int64: ['readInt64', 'setProto3IntField', 'writeInt64', '0', 'f !== 0'],
  double: ['readDouble', 'setProto3FloatField', 'writeDouble', '0.0', 'f !== 0.0'],
  enum: ['readEnum', 'setProto3EnumField', 'writeEnum', '0', 'f !== 0.0'],
});
const ROOTS = { trips: 'Trips', numbers: 'Numbers' };

const GENERATORS = /** @type {Record<string, () => void | Promise<void>>} */ ({
  pbf: () => eachProto((dataset, proto) => write(`pbf/${dataset}.js`, compileRaw(parseProto(proto)))),
  protobufjs: () => eachProto((dataset, proto) => write(`protobufjs/${dataset}.js`, protobufjsStatic(proto))),
  bufbuild: () => eachProto((dataset) => write(`bufbuild/${dataset}.js`, bufbuild(dataset))),
  'google-protobuf': () => write('google-protobuf/messages.js', googleProtobuf()),
  bebop: () => eachProto((dataset) => write(`bebop/${dataset}.js`, bebop(readFileSync(join(SCHEMAS, `${dataset}.bop`), 'utf8')))),
  flatbuffers,
  'capnp-es': capnproto,
  protons,
});

const work = mkdtempSync(join(tmpdir(), 'unspool-generate-'));
try {
  // The folders that are named, or all of them.
  for (const name of process.argv.length > 2 ? process.argv.slice(2) : Object.keys(GENERATORS)) await GENERATORS[name]();
} finally {
  rmSync(work, { recursive: true });
}


/**
 * @param {(dataset: 'trips' | 'numbers', proto: string) => void} generate makes the code of a dataset
 */
function eachProto(generate) {
  for (const dataset of /** @type {const} */ (['trips', 'numbers'])) generate(dataset, readFileSync(join(SCHEMAS, `${dataset}.proto`), 'utf8'));
}

/**
 * @param {string} path
 * @param {string} code
 */
function write(path, code) {
  const file = join(HERE, path);
  mkdirSync(join(file, '..'), { recursive: true });
  writeFileSync(file, `// @ts-nocheck\n${code.trim()}\n`);
}

/**
 * What protobufjs-cli prints as its target `static-module`: messages with their defaults on the prototype, and the encoders,
 * decoders and converters that protobufjs makes at run time where it reflects.
 *
 * @param {string} proto
 */
function protobufjsStatic(proto) {
  const { root } = protobufjs.parse(proto, { keepCase: true });
  root.resolveAll();
  const types = messagesIn(root);
  const lines = ["import protobuf from 'protobufjs/minimal.js';", 'const { Reader, Writer, util } = protobuf;'];
  for (const type of types) {
    const lists = type.fieldsArray.filter(({ repeated }) => repeated).map(({ name }) => `  this.${name} = [];`);
    lines.push('', `export function ${type.name}() {`, ...lists, '}');
    for (const field of type.fieldsArray) {
      const value = field.repeated ? 'util.emptyArray' : field.long ? 'util.Long ? util.Long.fromBits(0, 0, false) : 0' : JSON.stringify(field.defaultValue);
      lines.push(`${type.name}.prototype.${field.name} = ${value};`);
    }
  }
  for (const type of types) {
    const resolved = type.fieldsArray.map(({ resolvedType }) => {
      if (resolvedType instanceof protobufjs.Enum) return `{ values: ${JSON.stringify(resolvedType.values)} }`;
      return resolvedType === null ? 'null' : resolvedType.name;
    });
    const bind = (/** @type {unknown} */ code) => `((types, C) => ${String(code)})([${resolved.join(', ')}], ${type.name})`;
    lines.push('', `${type.name}.encode = ${bind(protobufjs.encoder(type))};`);
    lines.push('', `${type.name}.decode = ${bind(protobufjs.decoder(type))};`);
    lines.push('', `${type.name}.toObject = ${bind(protobufjs.converter.toObject(type))};`);
  }
  return lines.join('\n');
}

/**
 * @param {import('protobufjs').NamespaceBase} namespace
 * @returns {import('protobufjs').Type[]}
 */
function messagesIn(namespace) {
  return namespace.nestedArray.flatMap((item) => [
    ...(item instanceof protobufjs.Type ? [item] : []),
    ...(item instanceof protobufjs.Namespace ? messagesIn(item) : []),
  ]);
}

/**
 * What protoc-gen-es prints: the file's descriptor, and a reference to its root message.
 *
 * @param {'trips' | 'numbers'} dataset
 */
function bufbuild(dataset) {
  const set = join(work, `${dataset}.desc`);
  execFileSync('protoc', ['-I', SCHEMAS, '--descriptor_set_out', set, `${dataset}.proto`]);
  const bytes = readFileSync(set);
  // A FileDescriptorSet of one file is that file behind a tag and its length.
  const at = bytes[1] < 0x80 ? 2 : 3;
  return [
    "import { fileDesc, messageDesc } from '@bufbuild/protobuf/codegenv2';",
    '',
    `export const file = fileDesc('${bytes.subarray(at).toString('base64')}');`,
    `export const ${ROOTS[dataset]}Schema = messageDesc(file, 0);`,
  ].join('\n');
}

/**
 * What protoc-gen-js prints: messages as arrays behind getters and setters. That generator comes as a binary of its own;
 * this writes the same statements.
 */
function googleProtobuf() {
  const lines = ["import jspb from 'google-protobuf';"];
  for (const dataset of DATASETS) {
    const { root } = protobufjs.parse(readFileSync(join(SCHEMAS, `${dataset}.proto`), 'utf8'), { keepCase: true });
    root.resolveAll();
    for (const type of messagesIn(root).reverse()) lines.push('', ...googleMessage(type));
  }
  return lines.join('\n');
}

/** @param {import('protobufjs').Type} type */
function googleMessage({ name, fieldsArray }) {
  const repeated = fieldsArray.filter((field) => field.repeated).map(({ id }) => id);
  const lines = [
    `export function ${name}(data) {`,
    `  jspb.Message.initialize(this, data, 0, -1, ${repeated.length > 0 ? JSON.stringify(repeated) : 'null'}, null);`,
    '}',
    `jspb.inherits(${name}, jspb.Message);`,
    `${name}.deserializeBinary = (bytes) => ${name}.deserializeBinaryFromReader(new ${name}(), new jspb.BinaryReader(bytes));`,
  ];
  const cases = [];
  const writes = [];
  for (const field of fieldsArray) {
    const own = field.name.replaceAll(/(?:^|_)(.)/g, (_, letter) => letter.toUpperCase());
    if (field.repeated) {
      const item = field.resolvedType?.name;
      cases.push(`      case ${field.id}: {`, `        const value = new ${item}();`);
      cases.push(`        reader.readMessage(value, ${item}.deserializeBinaryFromReader);`, `        message.add${own}(value);`, '        break;', '      }');
      lines.push(`${name}.prototype.get${own}List = function () {`);
      lines.push(`  return jspb.Message.getRepeatedWrapperField(this, ${item}, ${field.id});`, '};');
      lines.push(`${name}.prototype.add${own} = function (value) {`);
      lines.push(`  return jspb.Message.addToRepeatedWrapperField(this, ${field.id}, value, ${item});`, '};');
      writes.push(`  f = message.get${own}List();`);
      writes.push(`  if (f.length > 0) writer.writeRepeatedMessage(${field.id}, f, ${item}.serializeBinaryToWriter);`);
      continue;
    }
    const [read, set, writeField, value, isThere] = READS[field.resolvedType ? 'enum' : field.type];
    const isOptional = field.partOf?.isProto3Optional === true;
    const get = field.type === 'double' ? 'getFloatingPointFieldWithDefault' : 'getFieldWithDefault';
    cases.push(`      case ${field.id}:`, `        message.set${own}(reader.${read}());`, '        break;');
    lines.push(`${name}.prototype.get${own} = function () {`, `  return jspb.Message.${get}(this, ${field.id}, ${value});`, '};');
    lines.push(`${name}.prototype.set${own} = function (value) {`);
    lines.push(`  return jspb.Message.${isOptional ? 'setField' : set}(this, ${field.id}, value);`, '};');
    writes.push(isOptional ? `  f = jspb.Message.getField(message, ${field.id});` : `  f = message.get${own}();`);
    writes.push(`  if (${isOptional ? 'f != null' : isThere}) writer.${writeField}(${field.id}, f);`);
    if (isOptional) lines.push(`${name}.prototype.has${own} = function () {`, `  return jspb.Message.getField(this, ${field.id}) != null;`, '};');
  }
  lines.push(`${name}.deserializeBinaryFromReader = (message, reader) => {`, '  while (reader.nextField() && !reader.isEndGroup()) {');
  lines.push('    switch (reader.getFieldNumber()) {', ...cases, '      default:', '        reader.skipField();', '    }', '  }');
  lines.push('  return message;', '};');
  lines.push(`${name}.prototype.serializeBinary = function () {`, '  const writer = new jspb.BinaryWriter();');
  lines.push(`  ${name}.serializeBinaryToWriter(this, writer);`, '  return writer.getResultBuffer();', '};');
  lines.push(`${name}.serializeBinaryToWriter = (message, writer) => {`, '  let f = undefined;', ...writes, '};');
  return lines;
}

/**
 * What bebopc prints for structs, without types: classes that are made from an object of their fields. That compiler comes
 * as a binary of its own; this writes the same statements.
 *
 * @param {string} text
 */
function bebop(text) {
  const enums = [...text.matchAll(/enum (\w+)/g)].map(([, name]) => name);
  const reads = /** @type {Record<string, string>} */ ({ string: 'readString', date: 'readDate', float64: 'readFloat64' });
  const lines = ["import { BebopView } from 'bebop';"];
  for (const [, name, body] of text.matchAll(/struct (\w+) \{([^}]*)\}/g)) {
    const fields = [...body.matchAll(/^ *(\w+)(\[\])? (\w+);/gm)].map(([, type, list, own]) => ({ type, list, own: camelCase(own) }));
    lines.push('', `export class ${name} {`, '  constructor(record) {', ...fields.map(({ own }) => `    this.${own} = record.${own};`), '  }', '');
    lines.push('  static decode(buffer) {', '    const view = BebopView.getInstance();', '    view.startReading(buffer);');
    lines.push(`    return ${name}.readFrom(view);`, '  }', '', '  static readFrom(view) {');
    for (const [index, { type, list }] of fields.entries()) {
      const read = enums.includes(type) ? 'view.readByte()' : reads[type] ? `view.${reads[type]}()` : `${type}.readFrom(view)`;
      lines.push(`    let field${index};`);
      if (!list) {
        lines.push(`    field${index} = ${read};`);
        continue;
      }
      lines.push('    {', '      const length0 = view.readUint32();', `      field${index} = new Array(length0);`);
      lines.push('      for (let i0 = 0; i0 < length0; i0++) {', '        let x0;', `        x0 = ${read};`, `        field${index}[i0] = x0;`, '      }', '    }');
    }
    lines.push('    const message = {', ...fields.map(({ own }, index) => `      ${own}: field${index},`), '    };');
    lines.push(`    return new ${name}(message);`, '  }', '');
    lines.push('  static encode(record) {', '    const view = BebopView.getInstance();', '    view.startWriting();');
    lines.push(`    ${name}.encodeInto(record, view);`, '    return view.toArray();', '  }', '', '  static encodeInto(record, view) {');
    lines.push('    const before = view.length;');
    for (const { type, list, own } of fields) {
      const writeOne = (/** @type {string} */ value) => {
        if (enums.includes(type)) return `view.writeByte(${value});`;
        return type in reads ? `view.${reads[type].replace('read', 'write')}(${value});` : `${type}.encodeInto(${value}, view);`;
      };
      if (!list) lines.push(`    ${writeOne(`record.${own}`)}`);
      else {
        lines.push('    {', `      const length0 = record.${own}.length;`, '      view.writeUint32(length0);');
        lines.push('      for (let i0 = 0; i0 < length0; i0++) {', `        ${writeOne(`record.${own}[i0]`)}`, '      }', '    }');
      }
    }
    lines.push('    return view.length - before;', '  }', '}');
  }
  return lines.join('\n');
}

/** @param {string} name */
function camelCase(name) {
  return name.replaceAll(/_(.)/g, (_, letter) => letter.toUpperCase());
}

async function flatbuffers() {
  execFileSync('flatc', ['--ts', '-o', work, ...DATASETS.map((dataset) => join(SCHEMAS, `${dataset}.fbs`))]);
  for (const dataset of DATASETS) {
    await build({
      entryPoints: [join(work, `${dataset}_generated.ts`)],
      absWorkingDir: work,
      bundle: true,
      external: ['flatbuffers'],
      format: 'esm',
      target: 'es2022',
      outfile: join(HERE, `flatbuffers/${dataset}.js`),
      banner: { js: '// @ts-nocheck' },
    });
  }
}

/** capnp-es's compiler needs TypeScript 5, which it gets in a folder of its own. */
function capnproto() {
  const { version } = JSON.parse(readFileSync(new URL('../../node_modules/capnp-es/package.json', import.meta.url), 'utf8'));
  execFileSync('npm', ['install', '--prefix', work, '--no-audit', '--no-fund', `capnp-es@${version}`, 'typescript@5'], { stdio: 'inherit' });
  const files = DATASETS.map((dataset) => `${dataset}.capnp`);
  const environment = { ...process.env, PWD: SCHEMAS };
  const plugin = join(work, 'node_modules/.bin/capnpc-js');
  execFileSync('capnp', ['compile', `-o${plugin}:${work}`, ...files], { cwd: SCHEMAS, env: environment, stdio: 'inherit' });
  for (const dataset of DATASETS) write(`capnp-es/${dataset}.js`, readFileSync(join(work, `${dataset}.js`), 'utf8'));
}

/** The generator of protons brings another protobufjs and its tools: they get a folder of their own. */
function protons() {
  execFileSync('npm', ['install', '--prefix', work, '--no-audit', '--no-fund', 'protons@9'], { stdio: 'inherit' });
  eachProto((dataset, proto) => {
    const source = join(work, `${dataset}.proto`);
    // It knows no packages, and makes times bigints unless told otherwise.
    writeFileSync(source, proto.replace(/^package .*$/m, '').replaceAll(/(int64 \w+ = \d+);/g, '$1 [jstype = JS_NUMBER];'));
    execFileSync(process.execPath, [join(work, 'node_modules/protons/dist/bin/protons.js'), '--output', work, source], { stdio: 'inherit' });
    write(`protons/${dataset}.js`, transformSync(readFileSync(join(work, `${dataset}.ts`), 'utf8'), { loader: 'ts', target: 'es2022' }).code);
  });
}
