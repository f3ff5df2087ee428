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
  const scope = /\bpackage\s+([\w.]+)\s*;/.exec(plain)?.[1] ?? '';
  const methods: ServiceMethod[] = [];
  let service = '';
  for (const [, name, method, request, response] of plain.matchAll(
    /\bservice\s+(\w+)\s*\{|\brpc\s+(\w+)\s*\(\s*(?:stream\s+)?([\w.]+)\s*\)\s*returns\s*\(\s*(?:stream\s+)?([\w.]+)\s*\)/g,
  )) {
    if (name !== undefined) service = scope === '' ? name : `${scope}.${name}`;
    else if (service !== '')
      methods.push({ path: `${service}/${method}`, request: fullName(request!, scope, types), response: fullName(response!, scope, types) });
  }
  return methods;
}

/** Full name of a message, which is looked up in the scope of its use and then outwards. */
function fullName(name: string, scope: string, types: readonly string[]): string {
  if (name.startsWith('.')) return name.slice(1);
  for (let outer = scope; outer !== ''; outer = outer.slice(0, Math.max(0, outer.lastIndexOf('.')))) {
    if (types.includes(`${outer}.${name}`)) return `${outer}.${name}`;
  }
  return types.includes(name) || scope === '' || name.includes('.') ? name : `${scope}.${name}`;
}

/** Methods of the services in a serialised FileDescriptorSet; none if the bytes are damaged. */
export function methodsInDescriptors(set: Uint8Array): ServiceMethod[] {
  const methods: ServiceMethod[] = [];
  // FileDescriptorSet { file 1 }, FileDescriptorProto { package 2, service 6 }, ServiceDescriptorProto { name 1, method 2 },
  // MethodDescriptorProto { name 1, input_type 2, output_type 3 }
  for (const file of all(set, 1)) {
    const scope = textIn(file, 2);
    for (const service of all(file, 6)) {
      const name = scope === '' ? textIn(service, 1) : `${scope}.${textIn(service, 1)}`;
      for (const method of all(service, 2)) {
        const [request, response] = [textIn(method, 2), textIn(method, 3)].map((type) => type.replace(/^\./, ''));
        methods.push({ path: `${name}/${textIn(method, 1)}`, request: request!, response: response! });
      }
    }
  }
  return methods;
}

function textIn(message: Uint8Array, number: number): string {
  const [found] = all(message, number);
  return found ? new TextDecoder().decode(found) : '';
}

/** Length-delimited fields with a number. Stops at the first damaged field. */
function all(message: Uint8Array, wanted: number): Uint8Array[] {
  const found: Uint8Array[] = [];
  let at = 0;
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; at < message.length && scale < 2 ** 63; scale *= 128) {
      const byte = message[at++]!;
      value += (byte & 0x7f) * scale;
      if (byte < 0x80) return value;
    }
    return Infinity;
  };
  while (at < message.length) {
    const tag = varint();
    switch (tag % 8) {
      case 0:
        varint();
        break;
      case 1:
        at += 8;
        break;
      case 2: {
        const length = varint();
        if (!(length <= message.length - at)) return found;
        if (Math.floor(tag / 8) === wanted) found.push(message.subarray(at, at + length));
        at += length;
        break;
      }
      case 5:
        at += 4;
        break;
      default:
        return found;
    }
  }
  return found;
}
