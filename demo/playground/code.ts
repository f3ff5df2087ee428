import type { FormatId } from 'unspool';

/** The library or the place that the code is for. */
export type CodeTarget = 'fetch' | 'ky' | 'query' | 'service-worker' | 'hono' | 'express' | 'node';

export const CODE_TARGETS: readonly { value: CodeTarget; label: string }[] = [
  { value: 'fetch', label: 'fetch' },
  { value: 'ky', label: 'ky' },
  { value: 'query', label: 'TanStack Query' },
  { value: 'service-worker', label: 'Service worker' },
  { value: 'hono', label: 'Hono' },
  { value: 'express', label: 'Express' },
  { value: 'node', label: 'Node' },
];

/** Form of the result. */
export type ResultChoice = 'objects' | 'rows' | 'columns' | 'pick';

export const RESULT_CHOICES: readonly { value: ResultChoice; label: string }[] = [
  { value: 'objects', label: 'Objects' },
  { value: 'rows', label: 'Rows' },
  { value: 'columns', label: 'Columns' },
  { value: 'pick', label: 'Two columns' },
];

/** A schema file, and how it becomes a schema. */
export interface CodeSchema {
  file: string;
  /** Name of the type; empty if the schema names it. */
  type: string;
}

/** The payload that the code reads or writes. */
export interface CodeSetting {
  format: FormatId;
  /** Options of the format. */
  options: Readonly<Record<string, unknown>>;
  as: ResultChoice;
  /** Paths for `pick`. */
  pick: readonly string[];
  schema: CodeSchema | undefined;
  /** Options of the format's writer, for a server. */
  writing?: Readonly<Record<string, unknown>>;
  /** Declarations of the value's type, which `type` names; undefined if they are unknown or too long. */
  declarations: string | undefined;
  type: string;
}

/** Formats whose changes a refetch finds. */
const COMPARED: ReadonlySet<FormatId> = new Set(['json', 'messagepack', 'cbor', 'bson', 'protobuf', 'avro']);

/** Code that reads the payload, or serves it, in TypeScript. */
export function codeFor(target: CodeTarget, setting: CodeSetting): string {
  const { declarations, type } = setting;
  const types = declarations?.trimEnd() ?? `type ${type} = unknown;`;
  const lines = WRITERS[target](setting);
  return `${lines.imports.join('\n')}\n\n${lines.body.trim()}\n${lines.hasType === false ? '' : `\n${types}\n`}`;
}

interface Code {
  imports: string[];
  body: string;
  hasType?: boolean;
}

const WRITERS: Record<CodeTarget, (setting: CodeSetting) => Code> = {
  fetch: (setting) => ({
    imports: [decoderImport(setting)],
    body: `${schemaInBrowser(setting)}const decoder = createDecoder();

const response = await fetch('/api/payload');
const value = await decoder.decode<${typeOf(setting)}>(response, ${optionsOf(setting)});`,
  }),
  ky: (setting) => ({
    imports: ["import ky from 'ky';", decoderImport(setting)],
    body: `${schemaInBrowser(setting)}const decoder = createDecoder();
const api = ky.create({ fetch: decoder.fetch });

const response = await api.get('/api/payload');
const value = await decoder.decode<${typeOf(setting)}>(response, ${optionsOf(setting)});`,
  }),
  query: (setting) => {
    const keeps = COMPARED.has(setting.format) && setting.as !== 'pick' && setting.options['sequence'] !== true;
    const context = keeps ? '{ signal, client, queryKey }' : '{ signal, queryKey }';
    const more = keeps ? 'previous: client.getQueryData(queryKey)' : 'signal';
    return {
      imports: ["import { QueryClient } from '@tanstack/query-core';", decoderImport(setting)],
      body: `${schemaInBrowser(setting)}const decoder = createDecoder();
const queries = new QueryClient();

const value = await queries.fetchQuery({
  queryKey: ['payload'],
  queryFn: async (${context}) => {
    const response = await fetch('/api/payload', { signal });
    if (!response.ok) throw new Error(\`\${queryKey.join('/')}: \${response.status}\`);
    return await decoder.decode<${typeOf(setting)}>(response, ${indented(optionsOf(setting, more), 4)});
  },
  ${keeps ? '// The decoder keeps what has not changed.\n  ' : ''}structuralSharing: false,
});`,
    };
  },
  'service-worker': ({ format, schema, options }) => {
    const isText = schema !== undefined && !isBinary(schema);
    const name = isText ? "'payload'" : '() => schema';
    const routeOptions = Object.keys(options).length > 0 ? `, options: ${literal(options)}` : '';
    return {
      hasType: false,
      imports: [
        ...(format === 'json' ? [] : [`import ${format} from 'unspool/formats/${format}';`]),
        "import { acceptUpdates, createServiceWorkerDecoder } from 'unspool/service-worker';",
        "import { clientsClaim } from 'workbox-core';",
        "import { registerRoute } from 'workbox-routing';",
        ...(isText ? [`import schemaFile from './${schema.file}?raw'; // its text, as Vite gives it`] : []),
      ],
      body: `// Pages that call response.json() get JSON, whatever the server sends.
const decoder = createServiceWorkerDecoder({
  formats: {${format === 'json' ? '' : ` ${format} `}},${isText ? `\n  schemas: { payload: { format: '${format}', schema: ${schemaExpression(format, schema, 'schemaFile')} } },` : ''}
});
${schema && !isText ? `const schema = fetch('/schemas/${schema.file}').then(async (file) => (${schemaExpression(format, schema, 'new Uint8Array(await file.arrayBuffer())')}));\n` : ''}registerRoute(
  ({ url }) => url.pathname.startsWith('/api/'),
  decoder.handler({ respondWith: 'json', format: '${format}'${schema ? `, schema: ${name}` : ''}${routeOptions} }),
);

acceptUpdates();
clientsClaim();`,
    };
  },
  hono: (setting) => ({
    imports: ["import { Hono } from 'hono';", ...readImport(setting), "import { type RespondOptions, respond } from 'unspool/server';"],
    body: `${schemaInNode(setting)}${respondOptions(setting)}
declare function load(): ${setting.type};

const app = new Hono();
app.get('/api/payload', (c) => respond(c.req.raw, load, options));
export default app;`,
  }),
  express: (setting) => ({
    imports: ["import express from 'express';", ...readImport(setting), "import { type RespondOptions, send } from 'unspool/server';"],
    body: `${schemaInNode(setting)}${respondOptions(setting)}
declare function load(): ${setting.type};

const app = express();
app.get('/api/payload', (request, response) => send(request, response, load, options));
app.listen(8080);`,
  }),
  node: (setting) => ({
    imports: [`import { openAsBlob${setting.schema ? ', readFileSync' : ''} } from 'node:fs';`, decoderImport(setting)],
    body: `${schemaInNode(setting)}const decoder = createDecoder();

const value = await decoder.decode<${typeOf(setting)}>(await openAsBlob('payload.bin'), ${optionsOf(setting)});`,
  }),
};

/** Type of the value; of a part of it with `pick`. */
function typeOf({ as, type, pick }: CodeSetting): string {
  return as === 'pick' ? `Picked<${type}, ${pick.map((path) => text(path)).join(' | ')}>` : type;
}

function decoderImport({ as }: CodeSetting): string {
  return `import { createDecoder${as === 'pick' ? ', type Picked' : ''} } from 'unspool';`;
}

/** Indents all lines but the first. */
function indented(lines: string, spaces: number): string {
  return lines.replaceAll('\n', `\n${' '.repeat(spaces)}`);
}

/** Options of a decode, as the text of an object. */
function optionsOf({ format, options, as, pick, schema }: CodeSetting, more = ''): string {
  const parts = [
    `format: '${format}'`,
    ...(schema ? ['schema'] : []),
    ...(Object.keys(options).length > 0 ? [`options: ${literal(options)}`] : []),
    ...(as === 'objects' ? [] : [`as: '${as === 'columns' ? 'columns' : 'rows'}'`]),
    ...(as === 'pick' && pick.length > 0 ? [`pick: [${pick.map((path) => text(path)).join(', ')}]`] : []),
    ...(more === '' ? [] : [more]),
  ];
  const line = `{ ${parts.join(', ')} }`;
  return line.length <= 70 ? line : `{\n${parts.map((part) => `  ${part},\n`).join('')}}`;
}

/** Options of a server that prefers the format. */
function respondOptions({ format, schema, writing }: CodeSetting): string {
  const own = writing ? literal(writing) : format === 'protobuf' ? "{ names: 'proto' }" : '{}';
  const offered = [...new Set<FormatId>(['json', format])].map((id) => `${id}: ${id === format ? own : '{}'}`);
  return `const options: RespondOptions = {
  // JSON for curl, ${format === 'json' ? 'and for everybody else' : `${format} for decoder.fetch`}.
  formats: { ${offered.join(', ')} },${schema ? `\n  schemas: { payload: { format: '${format}', schema } },` : ''}
  compression: true,
};
`;
}

function schemaInBrowser({ format, schema }: CodeSetting): string {
  if (!schema) return '';
  const content = isBinary(schema)
    ? `new Uint8Array(await (await fetch('/schemas/${schema.file}')).arrayBuffer())`
    : `await (await fetch('/schemas/${schema.file}')).text()`;
  return `const schemaFile = ${content};\nconst schema = ${schemaExpression(format, schema, 'schemaFile')};\n\n`;
}

function schemaInNode({ format, schema }: CodeSetting): string {
  if (!schema) return '';
  const content = isBinary(schema) ? `new Uint8Array(readFileSync('${schema.file}'))` : `readFileSync('${schema.file}', 'utf8')`;
  return `const schemaFile = ${content};\nconst schema = ${schemaExpression(format, schema, 'schemaFile')};\n\n`;
}

function readImport({ schema }: CodeSetting): string[] {
  return schema ? ["import { readFileSync } from 'node:fs';"] : [];
}

/** The schema, in the form that the format takes, from the content of its file. */
function schemaExpression(format: FormatId, { file, type }: CodeSchema, content: string): string {
  const isText = !isBinary({ file, type });
  const named = (key: string): string => (type === '' ? '' : `, ${key}: ${text(type)}`);
  switch (format) {
    case 'protobuf':
      return `{ ${isText ? 'proto' : 'descriptorSet'}: ${content}${named('message')} }`;
    case 'bebop':
      return `{ bop: ${content}${named('record')} }`;
    case 'flatbuffers':
      return isText ? `{ fbs: ${content}${named('root')} }` : `{ bfbs: ${content}${named('table')} }`;
    case 'capnproto':
      return `{ ${isText ? 'capnp' : 'request'}: ${content}${named('struct')} }`;
    default:
      return `JSON.parse(${content}) as object`;
  }
}

function isBinary({ file }: CodeSchema): boolean {
  return !/\.(?:proto|avsc|bop|fbs|capnp|json)$/i.test(file);
}

/** An object with words as keys. */
function literal(object: Readonly<Record<string, unknown>>): string {
  const entries = Object.entries(object).map(([key, value]) => `${key}: ${typeof value === 'string' ? text(value) : JSON.stringify(value)}`);
  return `{ ${entries.join(', ')} }`;
}

/** A string literal. */
function text(value: string): string {
  return `'${JSON.stringify(value).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`;
}
