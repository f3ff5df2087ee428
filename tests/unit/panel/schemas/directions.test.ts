import { afterEach, describe, expect, test } from 'vitest';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { schemaFileOf } from '../../../../devtools-extension/panel/schemas/schema-files.ts';
import { SchemaUse } from '../../../../devtools-extension/panel/schemas/schema-use.ts';
import { schemaFiles, schemaMappings } from '../../../../devtools-extension/panel/schemas/schemas.ts';
import { PageLibrary } from '../../../../devtools-extension/panel/page/page-library.ts';
import { methodsInDescriptors, methodsInProto } from '../../../../devtools-extension/reading/schemas/services.ts';

const PROTO = `syntax = "proto3";
package shop.v1; // package not.this;
message ListRequest { int32 page = 1; }
message ListResponse { repeated string names = 1; }
message Outer { message Inner {} }
service OrderService {
  rpc List(ListRequest) returns (stream ListResponse);
  /* rpc Old(A) returns (B); */
  rpc Watch ( stream .shop.v1.ListRequest ) returns ( Outer.Inner ) { option deprecated = true; }
}`;

const text = (content: string): Uint8Array => new TextEncoder().encode(content);
const adapter = createPageAdapter();
const use = new SchemaUse(new PageLibrary(adapter), () => []);
const exchange = adapter.add({ url: 'https://a.test/api/shop.v1.OrderService/List?x=1', bytes: new Uint8Array(0) });
const typeOf = (direction: 'request' | 'response'): unknown => (use.chosen(exchange, direction)?.input as { message?: string } | undefined)?.message;

afterEach(() => {
  schemaFiles.value = [];
  schemaMappings.value = [];
});

describe('schema of a body', () => {
  test('uses the method in the path, for requests and for responses, without a mapping', () => {
    schemaFiles.value = [schemaFileOf('shop.proto', text(PROTO))!];
    expect([typeOf('request'), typeOf('response')]).toEqual(['shop.v1.ListRequest', 'shop.v1.ListResponse']);
  });

  test('finds a message that another file defines', () => {
    const service = 'package api; import "shop.proto"; service S { rpc List(shop.v1.ListRequest) returns (shop.v1.ListResponse); }';
    schemaFiles.value = [schemaFileOf('service.proto', text(service))!, schemaFileOf('shop.proto', text(PROTO))!];
    const call = adapter.add({ url: 'https://a.test/api.S/List', bytes: new Uint8Array(0) });
    expect(use.chosen(call, 'response')?.input).toMatchObject({ message: 'shop.v1.ListResponse' });
  });

  test('applies a response type only to responses, and a request type only to requests', () => {
    schemaFiles.value = [schemaFileOf('shop.proto', text(PROTO.replace('OrderService', 'Other')))!];
    use.map('a.test', 'shop.proto', 'shop.v1.ListResponse');
    expect([typeOf('request'), typeOf('response')]).toEqual([undefined, 'shop.v1.ListResponse']);
    use.map('a.test', 'shop.proto', undefined, 'shop.v1.ListRequest');
    expect([typeOf('request'), typeOf('response')]).toEqual(['shop.v1.ListRequest', undefined]);
    // As stored before mappings knew directions.
    schemaMappings.value = [{ pattern: 'a.test', file: 'shop.proto', type: 'shop.v1.ListResponse' }];
    expect([typeOf('request'), typeOf('response')]).toEqual([undefined, 'shop.v1.ListResponse']);
  });

  test("prefers the user's mapping to the path", () => {
    schemaFiles.value = [schemaFileOf('shop.proto', text(PROTO))!];
    use.map('a.test', 'shop.proto', 'shop.v1.Outer.Inner');
    expect([typeOf('request'), typeOf('response')]).toEqual(['shop.v1.ListRequest', 'shop.v1.Outer.Inner']);
  });
});

describe('services', () => {
  test('reads services from a .proto text, with the full names of their messages', () => {
    const types = ['shop.v1.ListRequest', 'shop.v1.ListResponse', 'shop.v1.Outer', 'shop.v1.Outer.Inner'];
    expect(methodsInProto(PROTO, types)).toEqual([
      { path: 'shop.v1.OrderService/List', request: 'shop.v1.ListRequest', response: 'shop.v1.ListResponse' },
      { path: 'shop.v1.OrderService/Watch', request: 'shop.v1.ListRequest', response: 'shop.v1.Outer.Inner' },
    ]);
  });

  test('reads services from descriptors, and none from damaged ones', () => {
    const field = (number: number, content: string | number[]): number[] => {
      const bytes = typeof content === 'string' ? [...text(content)] : content;
      return [(number << 3) | 2, bytes.length, ...bytes];
    };
    const method = [...field(1, 'Get'), ...field(2, '.p.In'), ...field(3, '.p.Out')];
    const file = [...field(1, 'a.proto'), ...field(2, 'p'), ...field(6, [...field(1, 'S'), ...field(2, method)])];
    const set = Uint8Array.from(field(1, file));
    expect(methodsInDescriptors(set)).toEqual([{ path: 'p.S/Get', request: 'p.In', response: 'p.Out' }]);
    for (let end = 0; end < set.length; end += 1) expect(methodsInDescriptors(set.subarray(0, end))).toEqual([]);
  });
});
