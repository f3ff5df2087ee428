// Generates, from the schemas in `demo/server/schemas`, the code that libraries with a compiler in JavaScript work with.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { compileRaw } from 'pbf/compile';
import parseProto from 'protocol-buffers-schema';
import protobufjs from 'protobufjs';

const SCHEMAS = fileURLToPath(new URL('../../demo/server/schemas', import.meta.url));
const BENCH = fileURLToPath(new URL('..', import.meta.url));
/** By library, the generator of the code of one dataset. */
const GENERATORS = /** @type {Record<string, (dataset: string) => string>} */ ({
  pbf: (dataset) => compileRaw(parseProto(schemaText(`${dataset}.proto`))),
  protobufjs: (dataset) => protobufjsStatic(schemaText(`${dataset}.proto`)),
  'google-protobuf': googleProtobuf,
  bebop: (dataset) => bebop(schemaText(`${dataset}.bop`)),
});

/**
 * Resolves `generated:<library>/<dataset>` to generated code.
 *
 * @type {import('esbuild').Plugin}
 */
export const generatedCode = {
  name: 'generated-code',
  setup(build) {
    build.onResolve({ filter: /^generated:/ }, ({ path }) => ({ path: path.slice('generated:'.length), namespace: 'generated' }));
    build.onLoad({ filter: /.*/, namespace: 'generated' }, ({ path }) => {
      const [library, dataset] = path.split('/');
      return { contents: GENERATORS[library](dataset), resolveDir: BENCH };
    });
  },
};

/** @param {string} file */
const schemaText = (file) => readFileSync(join(SCHEMAS, file), 'utf8');

/** By type, how protoc-gen-js reads, sets and writes a field, its default value, and its test for presence. */
const READS = /** @type {Record<string, [read: string, set: string, write: string, value: string, isThere: string]>} */ ({
  string: ['readStringRequireUtf8', 'setProto3StringField', 'writeString', '""', 'f.length > 0'],
  int64: ['readInt64', 'setProto3IntField', 'writeInt64', '0', 'f !== 0'],
  double: ['readDouble', 'setProto3FloatField', 'writeDouble', '0.0', 'f !== 0.0'],
  enum: ['readEnum', 'setProto3EnumField', 'writeEnum', '0', 'f !== 0.0'],
});

/**
 * Prints what protobufjs-cli does for its target `static-module`: messages with their defaults on the prototype, and the
 * encoders, decoders and converters that protobufjs otherwise generates at run time.
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
 * Prints the statements of protoc-gen-js, a binary: messages as arrays behind getters and setters.
 *
 * @param {string} dataset
 */
function googleProtobuf(dataset) {
  const { root } = protobufjs.parse(schemaText(`${dataset}.proto`), { keepCase: true });
  root.resolveAll();
  return ["import jspb from 'google-protobuf';", ...messagesIn(root).reverse().flatMap(googleMessage)].join('\n');
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
 * Prints the statements of bebopc, a binary, for structs: classes constructed from an object of their fields.
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
