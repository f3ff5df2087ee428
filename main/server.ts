export { receive, type ReceivedRequest, type ReceiveOptions } from './server/receive.ts';
export { RequestError, type RequestErrorStatus } from './server/request-error.ts';
export { respond, type RespondOptions, type RespondRequest, type ValueSchemas } from './server/respond.ts';
export { type NodeResponse, send } from './server/send.ts';
export type { ServerRequest } from './server/server-request.ts';
export type { Coding } from './server/coding.ts';
export { DecodeError, EncodeError, LimitError, SchemaError } from '../core/errors.ts';
export type { FormatId, FormatOptions, WriteOptions } from '../core/formats/registry.ts';
export type { Limits } from '../core/limits.ts';
