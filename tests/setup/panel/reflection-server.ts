import { createServer, type Server } from 'node:http';
import { create, createFileRegistry, type DescService, type FileRegistry, fromBinary, toBinary } from '@bufbuild/protobuf';
import { FileDescriptorProtoSchema, FileDescriptorSetSchema } from '@bufbuild/protobuf/wkt';
import { createConnectRouter } from '@connectrpc/connect';
import { descriptorSetOf, type Proto } from './generated-apps.ts';

/** Limits the protocols of a server. */
type Protocols = { grpcWeb?: boolean; connect?: boolean };

/**
 * Server of Connect with reflection for a service, as connect-go and grpc-go answer it. Stands for a proxy that takes HTTP/1.1
 * and speaks HTTP/2 with the server, which streams in both directions need. `others` answers all other requests.
 */
export async function startReflectionServer(proto: Proto, protocols: Protocols, others?: Parameters<typeof createServer>[1]): Promise<Server> {
  const set = fromBinary(FileDescriptorSetSchema, await descriptorSetOf(proto));
  const registry = createFileRegistry(set);
  const reflection = await reflectionService();
  const { grpcWeb = true, connect = true } = protocols;
  // A server speaks one protocol at least: gRPC, which no page speaks.
  const router = createConnectRouter({ grpc: !grpcWeb && !connect, grpcWeb, connect });
  router.service(reflection, { serverReflectionInfo: (questions: AsyncIterable<Question>) => answers(questions, registry, proto) } as never);
  const server = createServer((request, response) => {
    const handler = router.handlers.find(({ requestPath }) => requestPath === request.url);
    if (!handler) return others ? others(request, response) : void response.writeHead(404).end();
    void (async () => {
      const header = new Headers(Object.entries(request.headers).map(([name, value]) => [name, String(value)]));
      const answer = await handler({
        httpVersion: '2.0',
        method: request.method!,
        url: `http://localhost${request.url}`,
        header,
        body: request as never,
        signal: new AbortController().signal,
      });
      response.writeHead(answer.status, Object.fromEntries(answer.header ?? []));
      if (answer.body) for await (const chunk of answer.body) response.write(chunk);
      response.end();
    })();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

async function reflectionService(): Promise<DescService> {
  const set = await descriptorSetOf({ name: 'reflection', service: '', methods: [] });
  return createFileRegistry(fromBinary(FileDescriptorSetSchema, set)).getService('grpc.reflection.v1.ServerReflection')!;
}

interface Question {
  messageRequest: { case: 'listServices' | 'fileContainingSymbol' | 'fileByFilename'; value: string };
}

async function* answers(questions: AsyncIterable<Question>, registry: FileRegistry, { service }: Proto): AsyncGenerator<object> {
  const { proto } = registry.getService(service)!.file;
  for await (const { messageRequest } of questions) {
    const isKnown = messageRequest.case === 'fileContainingSymbol' ? messageRequest.value === service : messageRequest.value === proto.name;
    const value =
      messageRequest.case === 'listServices'
        ? { case: 'listServicesResponse', value: { service: [{ name: service }, { name: 'grpc.reflection.v1.ServerReflection' }] } }
        : isKnown
          ? {
              case: 'fileDescriptorResponse',
              value: { fileDescriptorProto: [toBinary(FileDescriptorProtoSchema, create(FileDescriptorProtoSchema, proto))] },
            }
          : { case: 'errorResponse', value: { errorCode: 5, errorMessage: 'not found' } };
    yield { messageResponse: value };
  }
}
