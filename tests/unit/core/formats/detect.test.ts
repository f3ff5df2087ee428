import { describe, expect, test } from 'vitest';
import { detectByContent, detectByMediaType, looksLikeMarkup } from '../../../../core/formats/detect.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

describe('detection by media type', () => {
  test.each([
    ['application/json', 'json', false],
    ['Application/JSON; charset=utf-8', 'json', false],
    [' application/vnd.api+json ', 'json', false],
    ['application/x-ndjson', 'json', true],
    ['application/jsonl; x=y', 'json', true],
    ['application/vnd.msgpack', 'messagepack', false],
    ['application/x-msgpack', 'messagepack', false],
    ['application/vnd.example.v2+msgpack', 'messagepack', false],
  ])('maps %s to %s', (type, id, sequence) => {
    const detected = detectByMediaType(type);
    expect(detected?.entry.id).toBe(id);
    expect(detected?.sequence).toBe(sequence);
  });

  test.each([undefined, null, '', ';', 'text/plain', 'application/octet-stream', 'image/png', 'jsonx', 'application/jsonx'])(
    'maps %s to no format',
    (type) => expect(detectByMediaType(type)).toBeUndefined(),
  );
});

describe('detection by content', () => {
  test.each([
    ['{"a":1}', 'json'],
    ['\uFEFF \r\n\t[1]', 'json'],
    ['"text"', 'json'],
    ['-12', 'json'],
    ['null', 'json'],
  ])('maps %j to %s', (text, id) => expect(detectByContent(bytes(text))?.id).toBe(id));

  test.each([
    [[0x82, 0xa1, 0x61, 0x01], 'messagepack'],
    [[0xdd, 0, 0, 0, 1, 0xc0], 'messagepack'],
    [[0xda, 0, 1, 0x61], 'messagepack'],
  ])('maps the bytes %j to %s', (values, id) => expect(detectByContent(new Uint8Array(values))?.id).toBe(id));

  test.each(['', 'Internal Server Error', 'nothing', '<p>', '\0\0\0'])('maps %j to no format', (text) =>
    expect(detectByContent(bytes(text))).toBeUndefined(),
  );
});

test.each([
  ['<!DOCTYPE html><html>', true],
  ['\uFEFF\r\n  <!doctype HTML>', true],
  ['<html lang="en">', true],
  ['<?xml version="1.0"?>', true],
  ['<!-- nothing --><html>', true],
  ['<body>', true],
  ['< html', false],
  ['<3', false],
  ['{"a":"<html>"}', false],
  ['', false],
])('looksLikeMarkup checks %j: %s', (text, is) => expect(looksLikeMarkup(bytes(text))).toBe(is));
