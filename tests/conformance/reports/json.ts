import { type PartialDecode, createPartial } from '../../../main/partial.ts';
import { EventParser, type StreamEvent } from '../../../core/messages/event-parser.ts';
import json from '../../../core/formats/json/index.ts';
import type { Report } from './report.ts';

/** The value of a text that has not ended. */
function soFar(...chunks: string[]): unknown {
  const partial = createPartial(json);
  for (const chunk of chunks) partial.push(chunk);
  return partial.value;
}

/** The value of chunks of bytes, also asked for after each. */
function inChunks(...chunks: (string | number[])[]): unknown {
  const partial: PartialDecode<unknown> = createPartial(json);
  for (const chunk of chunks) {
    partial.push(typeof chunk === 'string' ? chunk : Uint8Array.from(chunk));
    void partial.value;
  }
  return partial.finish();
}

/** The data of events, in chunks. */
function dataOf(...chunks: (string | number[])[]): string[] {
  const parser = new EventParser(1e6);
  return chunks
    .flatMap((chunk): StreamEvent[] => [...parser.read(typeof chunk === 'string' ? chunk : Uint8Array.from(chunk))])
    .map(({ data }) => data);
}

export const JSON_TEXT: readonly Report[] = [
  {
    report: 'uhop/stream-json#75',
    was: 'A character in two chunks is damaged',
    tried: () => inChunks('{"name":"', [0xc3], [0xb6], '"}'),
    gives: { name: 'ö' },
  },
  { report: 'uhop/stream-json#23', was: 'A mark in two chunks is damaged', tried: () => inChunks('"', [0x63, 0xcc], [0x8c], '"'), gives: 'c\u030c' },
  {
    report: 'creationix/jsonparse#13',
    was: 'Characters of several bytes are damaged between chunks',
    read: 'json',
    text: '["é","中","😀"]',
    gives: ['é', '中', '😀'],
  },
  {
    report: 'creationix/jsonparse#41',
    was: 'A quotation mark at the start of a chunk is refused',
    tried: () => inChunks('"', [0xe2, 0x80, 0x9d], '"'),
    gives: '”',
  },
  { report: 'dominictarr/JSONStream#51', was: 'A character that is no UTF-8 never ends', read: 'json', hex: '22 80 22', rejects: 'invalid-utf8' },
  {
    report: 'jimhigson/oboe.js#133',
    was: 'A snowman in two chunks is damaged',
    tried: () => inChunks('{"result":"', [0xe2], [0x98, 0x83], '"}'),
    gives: { result: '☃' },
  },
  {
    report: 'jimhigson/oboe.js#84',
    was: 'A negative exponent is refused in a long file',
    read: 'json',
    text: '[[-4.900000183e-09],[-4.900000183e-09]]',
    gives: [[-4.900000183e-9], [-4.900000183e-9]],
  },
  {
    report: 'jimhigson/oboe.js#80',
    was: 'Values with a comma between them end after the first',
    read: 'json',
    text: '{"a":1},{"a":2}',
    rejects: 'trailing-bytes',
  },
  {
    report: 'LinusU/node-jsonlines#7',
    was: 'Chinese text in two chunks is damaged',
    read: 'json',
    text: '"中"\n"中"\n',
    options: { sequence: true },
    gives: ['中', '中'],
  },
  { report: 'json-c/json-c#616', was: 'An escaped pair in two chunks is refused', tried: () => inChunks('"\\ud834\\u', 'dd1e"'), gives: '𝄞' },
  {
    report: 'oven-sh/bun#42488',
    was: 'A chunk that ends inside an exponent or an escape is an error',
    read: 'json',
    text: '[1e-1]\n"\\u00e9"\n',
    options: { sequence: true },
    gives: [[0.1], 'é'],
  },
  { report: 'ultrajson/ultrajson#216', was: 'An escape in two chunks is refused', tried: () => inChunks('"\\u00', 'fc"'), gives: 'ü' },
  { report: 'vercel/ai#15865', was: 'A value that ends inside an escape is lost', tried: () => soFar('{"a":"text \\u00'), gives: { a: 'text ' } },
  { report: 'assistant-ui/assistant-ui#6355', was: 'The same inside the first half of a pair', tried: () => soFar('{"a":"\\ud8'), gives: { a: '' } },
  { report: 'assistant-ui/assistant-ui#6355', was: 'Half of a pair is shown', tried: () => soFar('{"a":"x\\ud83d'), gives: { a: 'x' } },
  { report: 'pydantic/jiter#207', was: 'A string that ends in a backslash disappears', tried: () => soFar('["str\\'), gives: ['str'] },
  {
    report: 'BoundaryML/baml#4882',
    was: 'An escape of open text keeps three digits',
    tried: () => soFar('{"answer":"\\u2705 still streaming'),
    gives: { answer: '✅ still streaming' },
  },
  { report: 'josdejong/jsonrepair#109', was: 'A text that ends inside an escape never ends', tried: () => soFar('{"s \\ud'), gives: {} },
  {
    report: 'anthropics/anthropic-sdk-typescript#986',
    was: 'An escape that JSON lacks',
    read: 'json',
    text: '{"a":"App\\Http"}',
    rejects: 'malformed',
  },
  { report: 'boudra/jaxon#8', was: 'Half an escape is an error and not incomplete', read: 'json', text: '"\\u00', rejects: 'truncated' },
  {
    report: 'cucumber/common#1181',
    was: 'An empty line is refused',
    read: 'json',
    text: '{"a":1}\n\n{"a":2}\n\n',
    options: { sequence: true },
    gives: [{ a: 1 }, { a: 2 }],
  },
  {
    report: 'madnight/ndjson-to-json#1',
    was: 'Line feeds at the end are refused',
    read: 'json',
    text: '1\r\n2\r\n\r\n',
    options: { sequence: true },
    gives: [1, 2],
  },
  {
    report: 'eviltester/thingifier#122',
    was: 'A last line without its line feed is missed',
    read: 'json',
    text: '{"a":1}\n{"a":2}',
    options: { sequence: true },
    gives: [{ a: 1 }, { a: 2 }],
  },
  {
    report: 'ndjson/ndjson-spec#43',
    was: 'A stream that was cut looks complete',
    read: 'json',
    text: '{"some":"thing"}\n{"foo":17,"bar"',
    options: { sequence: true },
    rejects: 'truncated',
  },
  {
    report: 'rexxars/eventsource-parser#17',
    was: 'A line break in two chunks ends an event',
    tried: () => dataOf('data: A\r\n', 'data: B\r', '\ndata: C\r\n', '\n'),
    gives: ['A\nB\nC'],
  },
  {
    report: 'rexxars/eventsource-parser#41',
    was: 'A byte order mark after an empty chunk drops the first event',
    tried: () => dataOf('', [0xef], [0xbb], [0xbf], 'data: first\n\n'),
    gives: ['first'],
  },
  {
    report: 'EventSource/eventsource#326',
    was: 'Events with two kinds of line breaks are dropped',
    tried: () => dataOf('event: a\r\ndata: 1\n\n'),
    gives: ['1'],
  },
  { report: 'Effect-TS/effect#7670', was: 'The same in one chunk', tried: () => dataOf('data: first\r\ndata: second\n\n'), gives: ['first\nsecond'] },
  {
    report: 'joshmossas/event-source-plus#11',
    was: 'Line breaks of a single carriage return are not found',
    tried: () => dataOf('data: 1\r\rdata: 2\r\r'),
    gives: ['1', '2'],
  },
  {
    report: 'serde-rs/json#830',
    was: 'An escape of half a pair is refused',
    read: 'json',
    text: '"a\\ud83cb"',
    gives: 'a\ud83cb',
    note: 'right, as `JSON.parse`',
  },
  {
    report: 'nodejs/node#50821',
    was: 'Bytes become an object of indices',
    write: 'json',
    value: { a: Uint8Array.of(1, 2, 255) },
    options: { bytes: 'base64' },
    back: { a: 'AQL/' },
  },
  { report: 'node-fetch/node-fetch#541', was: 'A byte order mark is refused', read: 'json', text: '\ufeff{"a":1}', gives: { a: 1 } },
  { report: 'oven-sh/bun#4876', was: 'A byte order mark before a list is refused', tried: () => inChunks([0xef], [0xbb, 0xbf], '[1]'), gives: [1] },
  {
    report: 'matthew-andrews/isomorphic-fetch#168',
    was: 'A long id loses its last digits',
    read: 'json',
    text: '{"id":14355897211814021}',
    options: { bigints: 'bigint' },
    gives: { id: 14355897211814021n },
  },
  {
    report: 'bestiejs/json3#81',
    was: 'The largest integer of 64 bits is rounded',
    read: 'json',
    text: '{"x":9223372036854775807}',
    options: { bigints: 'bigint' },
    gives: { x: 9223372036854775807n },
  },
  {
    report: 'sidorares/json-bigint#86',
    was: 'A long decimal number is rounded',
    read: 'json',
    text: '123456789012345678901234567890.012345678901234567890123456789',
    options: { bigints: 'bigint' },
    gives: 1.2345678901234568e29,
    note: 'rounded, as `JSON.parse`: only integers become bigints',
  },
  {
    report: 'sidorares/json-bigint#89',
    was: 'Safe numbers become text',
    read: 'json',
    text: '[1.5,9007199254740991,-0]',
    options: { bigints: 'bigint' },
    gives: [1.5, 9007199254740991, -0],
  },
];
