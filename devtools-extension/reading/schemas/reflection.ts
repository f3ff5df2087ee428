import { joined } from '../../../core/bytes/byte-input.ts';
import { contentsOf, text, textIn, wrapped } from '../found/wire.ts';

/**
 * Messages of gRPC's server reflection (https://github.com/grpc/grpc-proto/blob/master/grpc/reflection/v1/reflection.proto).
 *
 *     ServerReflectionRequest { file_by_filename 3, file_containing_symbol 4, list_services 7 }
 *     ServerReflectionResponse { file_descriptor_response 4 { file_descriptor_proto 1 }, list_services_response 6 { service 1 { name 1 } } }
 *
 * Its only method is a stream in both directions, which a page cannot call as such: browsers have no gRPC, and their fetch
 * sends a whole body before it reads the answer. A body with all questions, which then ends, is the same call: servers
 * answer each question, and end as well.
 */
export type Question = { file: string } | { symbol: string } | 'services';

/** Answers of a server. */
export interface Reflected {
  /** Names of services. */
  services: string[];
  /** Serialised FileDescriptorProtos. */
  files: Uint8Array[];
}

/** Ways to ask: the path after the prefix of the services, and the Content-Type. Servers have one version or both. */
export const WAYS: readonly { path: string; contentType: string }[] = ['v1', 'v1alpha'].flatMap((version) =>
  ['application/grpc-web+proto', 'application/connect+proto'].map((contentType) => ({
    path: `grpc.reflection.${version}.ServerReflection/ServerReflectionInfo`,
    contentType,
  })),
);

/** Length of the flags and the size before a message in gRPC-Web and Connect. */
const HEAD = 5;
/** Flags of what is no message: trailers of gRPC-Web, the end of Connect's stream, and compressed messages. */
const NO_MESSAGE = 0x80 | 0x02 | 0x01;

/** Body of a request with all questions. */
export function questionsBody(questions: readonly Question[]): Uint8Array {
  return joined(
    questions.flatMap((question) => {
      const message = question === 'services' ? text(7, '*') : 'file' in question ? text(3, question.file) : text(4, question.symbol);
      const head = new Uint8Array(HEAD);
      new DataView(head.buffer).setUint32(1, message.length);
      return [head, message];
    }),
  );
}

/** Reads the body of an answer, which may be anything. */
export function reflectedIn(body: Uint8Array): Reflected {
  const found: Reflected = { services: [], files: [] };
  const view = new DataView(body.buffer, body.byteOffset, body.length);
  for (let at = 0; at + HEAD <= body.length;) {
    const end = at + HEAD + view.getUint32(at + 1);
    if (end > body.length) break;
    if ((body[at]! & NO_MESSAGE) === 0) {
      const message = body.subarray(at + HEAD, end);
      for (const response of contentsOf(message, 4)) for (const file of contentsOf(response, 1)) found.files.push(file);
      for (const response of contentsOf(message, 6)) for (const service of contentsOf(response, 1)) found.services.push(textIn(service, 1));
    }
    at = end;
  }
  return found;
}

/** Name of a file, and the names of those that it imports. */
export function namesOfFile(file: Uint8Array): { name: string; imports: string[] } {
  return { name: textIn(file, 1), imports: contentsOf(file, 3).map((name) => new TextDecoder().decode(name)) };
}

/** FileDescriptorSet of files, each once. */
export function descriptorSetOf(files: Iterable<Uint8Array>): Uint8Array {
  return joined([...files].map((file) => wrapped(1, file)));
}
