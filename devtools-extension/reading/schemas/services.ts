import { contentsOf, textIn } from '../found/wire.ts';

/** A method of a service, and the full names of its messages. */
export interface ServiceMethod {
  /** `package.Service/Method`: the end of the path of its calls in gRPC, gRPC-Web, Connect and Twirp. */
  path: string;
  request: string;
  response: string;
}

/** Methods of the services in a `.proto` text. `types` are the full names of the known messages. */
export function methodsInProto(text: string, types: readonly string[]): ServiceMethod[] {
  const plain = text.replaceAll(/\/\/[^\n]*|\/\*[^]*?(?:\*\/|$)/g, '');
  const tokens = plain.match(/[\w.]+|[^\s\w.]/g) ?? [];
  const scope = packageOf(tokens);
  const known = new Set(types);
  const methods: ServiceMethod[] = [];
  let service = '';
  for (const [at, token] of tokens.entries()) {
    const name = tokens[at + 1]!;
    if (token === 'service' && tokens[at + 2] === '{') service = scope === '' ? name : `${scope}.${name}`;
    if (token !== 'rpc' || service === '') continue;
    const request = messageIn(tokens, at + 2);
    const response = request && tokens[request.end] === 'returns' ? messageIn(tokens, request.end + 1) : undefined;
    if (!request || !response) continue;
    methods.push({ path: `${service}/${name}`, request: fullName(request.name, scope, known), response: fullName(response.name, scope, known) });
  }
  return methods;
}

/** Length of the longest full name, in characters. */
const MAX_NAME_LENGTH = 500;

/** The package that a `.proto` declares; empty without one. */
function packageOf(tokens: readonly string[]): string {
  const at = tokens.findIndex((token, index) => token === 'package' && tokens[index + 2] === ';');
  return at < 0 || tokens[at + 1]!.length > MAX_NAME_LENGTH ? '' : tokens[at + 1]!;
}

/** The message in `(Order)` or `(stream Order)` at a token, and the index after it. */
function messageIn(tokens: readonly string[], at: number): { name: string; end: number } | undefined {
  const from = tokens[at + 1] === 'stream' && tokens[at + 2] !== ')' ? at + 2 : at + 1;
  return tokens[at] === '(' && tokens[from + 1] === ')' ? { name: tokens[from]!, end: from + 2 } : undefined;
}

/** Full name of a message, which is looked up in the scope of its use and then outwards. */
function fullName(name: string, scope: string, types: ReadonlySet<string>): string {
  if (name.startsWith('.')) return name.slice(1);
  for (let outer = scope; outer !== ''; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('.')))) {
    if (types.has(`${outer}.${name}`)) return `${outer}.${name}`;
  }
  return types.has(name) || scope === '' || name.includes('.') ? name : `${scope}.${name}`;
}

/** Methods of the services in a serialised FileDescriptorSet; none if the bytes are damaged. */
export function methodsInDescriptors(set: Uint8Array): ServiceMethod[] {
  const methods: ServiceMethod[] = [];
  // FileDescriptorSet { file 1 }, FileDescriptorProto { package 2, service 6 }, ServiceDescriptorProto { name 1, method 2 },
  // MethodDescriptorProto { name 1, input_type 2, output_type 3 }
  for (const file of contentsOf(set, 1)) {
    const scope = textIn(file, 2);
    for (const service of contentsOf(file, 6)) {
      const name = scope === '' ? textIn(service, 1) : `${scope}.${textIn(service, 1)}`;
      for (const method of contentsOf(service, 2)) {
        const [request, response] = [textIn(method, 2), textIn(method, 3)].map((type) => type.replace(/^\./, ''));
        methods.push({ path: `${name}/${textIn(method, 1)}`, request: request!, response: response! });
      }
    }
  }
  return methods;
}
