import { deflateSync, gzipSync, zlibSync } from 'fflate';
import type { FormatId } from '../../../core/format/format-id.ts';
import { FORMATS } from '../../../core/formats/registry.ts';
import { subjectOf } from '../fuzz.ts';

/** A body with the browser's metadata. */
export interface PanelSeed {
  bytes: Uint8Array;
  contentType: string;
  url?: string;
  message?: 'text' | 'binary';
  /** The library's format of the body, if it has one. */
  format?: FormatId;
}

const utf8 = (text: string): Uint8Array => new TextEncoder().encode(text);
const hex = (text: string): Uint8Array => Uint8Array.from(text.match(/[\da-f]{2}/g) ?? [], (pair) => Number.parseInt(pair, 16));
const base64 = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

/** A frame of gRPC and Connect: `uint8 flags, uint32 length, message`. */
function frames(...messages: readonly (readonly [flags: number, message: Uint8Array])[]): Uint8Array {
  return Uint8Array.from(messages.flatMap(([flags, message]) => [flags, 0, 0, message.length >> 8, message.length & 0xff, ...message]));
}

/** A Zstandard frame (RFC 8878) with a stored block and a run-length block. */
function zstd(bytes: Uint8Array): Uint8Array {
  const head = bytes.length << 3;
  return Uint8Array.of(0x28, 0xb5, 0x2f, 0xfd, 0x00, 0x58, head & 0xff, head >> 8, 0, ...bytes, 0x43, 0, 0, 0x20);
}

const JSON_TEXT = '{"type":"data","target":"moved","id":7,"list":[1,2.5,null,true,{"a":"größer \\u0041"}],"deep":[[[{}]]],"raw":"AAH/"}';
const MESSAGE = hex('0a036f616b1007220408011202180a2a0b0a0968657920746865726532087f7f7f7f00010203');
const MSGPACK = hex('95018080a56d6f7665649182a26964cd0102a36c6174cb4045400000000000');
const HTML =
  '<!doctype html><html><head><title>a</title><style>p { color: red }</style></head><body><p class="b">c<br>d</p><script>let a = 1;</script></body></html>';
const XML = '<?xml version="1.0"?><!DOCTYPE a [<!ENTITY b "c">]><a xml:space="preserve"><!-- d --><e f="g>h">i<j/></e><![CDATA[k]]></a>';
const CSS = '@media (min-width: 1px) { a:hover > b, c::after { content: "d"; background: url(data:,e); } } /* f */';
const SCRIPT = 'const a = (b) => `c${b}`; // d\nif (a < 1) { for (;;) { /e[/]f/g.test("g"); } } else { h?.i ?? (j = 1e3); } /* k */';

/** Bodies of every format, framing, compression and language of the panel, in groups. */
export async function panelSeeds(): Promise<PanelSeed[][]> {
  const subjects = await Promise.all(FORMATS.map(async ({ id, mediaTypes }) => ({ id, type: mediaTypes[0]!, bytes: (await subjectOf(id)).seeds() })));
  const plain = subjects.map(({ id, type, bytes }) =>
    bytes
      .filter(({ length }) => length > 0 && length < 4_000)
      .map((one, i): PanelSeed => ({ bytes: one, contentType: i % 2 === 0 ? type : '', format: id })),
  );
  const of = (bytes: Uint8Array, contentType = '', more: Partial<PanelSeed> = {}): PanelSeed => ({ bytes, contentType, ...more });
  const json = utf8(JSON_TEXT);
  const web = frames(
    [0, MESSAGE],
    [1, gzipSync(MESSAGE)],
    [0x80, utf8('grpc-status: 3\r\ngrpc-message: a%20b\r\ngrpc-status-details-bin: CAMSAWEaBgoBYhIBYw==\r\n')],
  );
  const multipart =
    '--b\r\nContent-Disposition: form-data; name="a"\r\nContent-Type: application/json\r\n\r\n{"a":1}\r\n--b\r\nContent-Disposition: form-data; name="f"; filename="x"\r\n\r\n\0\u0001\r\n--b--\r\n';
  const wrapped = [
    ...[json, MSGPACK, MESSAGE, gzipSync(json)].flatMap((bytes) => [gzipSync, zlibSync, zstd].map((pack) => of(pack(bytes)))),
    of(deflateSync(json)),
  ];
  const framed = [
    of(frames([0, MESSAGE], [0, MESSAGE]), 'application/grpc'),
    of(web, 'application/grpc-web+proto'),
    of(utf8(base64(web)), 'application/grpc-web-text'),
    of(
      frames([0, json], [2, utf8('{"error":{"code":"internal","message":"a","details":[{"type":"google.rpc.Help","value":"CgFh"}]}}')]),
      'application/connect+json',
    ),
    of(utf8('42/admin,7["moved",{"id":7,"value":1.5}]\u001e2\u001ebkwECAw=='), 'text/plain', {
      url: 'https://a.test/socket.io/?EIO=4&transport=polling',
    }),
    of(utf8('451-["raw",{"_placeholder":true,"num":0}]'), '', { url: 'wss://a.test/socket.io/?EIO=4', message: 'text' }),
    of(utf8('{"type":1,"target":"moved","arguments":[{"id":7}]}\u001e{"type":6}\u001e'), '', { message: 'text' }),
    of(Uint8Array.of(MSGPACK.length, ...MSGPACK), '', { message: 'binary' }),
    of(utf8(multipart), 'multipart/form-data; boundary=b'),
    of(utf8('a=1&b=two+words&c=%C3%A9'), 'application/x-www-form-urlencoded'),
    of(Uint8Array.of(0, 0, 0, 0, 7, ...MESSAGE), 'application/vnd.kafka.protobuf.v2+json'),
    of(utf8(`)]}',\n${JSON_TEXT}`), 'application/json'),
  ];
  const texts = [of(utf8(HTML), 'text/html'), of(utf8(XML), 'application/xml'), of(utf8(CSS), 'text/css'), of(utf8(SCRIPT), 'text/javascript')];
  return [...plain, wrapped, wrapped, framed, framed, texts];
}
