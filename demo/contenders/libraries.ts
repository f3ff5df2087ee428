import type { FormatId } from 'unspool';
import { unpack, unpackMultiple } from 'msgpackr/unpack-no-eval';

/** Decodes a payload in one task. A sequence of values becomes a list. */
export type Parse = (bytes: Uint8Array<ArrayBuffer>, isSequence: boolean) => unknown;

/** A decoder that applications use for a format, and that needs no generated code, which the page's security policy forbids. */
export interface Library {
  name: string;
  load(): Promise<Parse>;
}

export const parseJson: Parse = (bytes, isSequence) => {
  const text = new TextDecoder().decode(bytes);
  return isSequence ? text.split('\n').flatMap((line): unknown[] => (line.trim() === '' ? [] : [JSON.parse(line)])) : JSON.parse(text);
};

export const parseMessagePack: Parse = (bytes, isSequence) => (isSequence ? unpackMultiple(bytes) : unpack(bytes));

/** Libraries by format. Others than those of the race are loaded when they are needed. */
export const LIBRARIES: Partial<Record<FormatId, Library>> = {
  json: { name: 'JSON.parse', load: () => Promise.resolve(parseJson) },
  messagepack: { name: 'msgpackr', load: () => Promise.resolve(parseMessagePack) },
  cbor: {
    name: 'cbor-x',
    async load() {
      const { decode, decodeMultiple } = await import('cbor-x/decode-no-eval');
      return (bytes, isSequence) => (isSequence ? decodeMultiple(bytes) : decode(bytes));
    },
  },
  bson: {
    name: 'bson',
    async load() {
      const { deserialize } = await import('bson');
      return (bytes) => deserialize(bytes);
    },
  },
  arrow: {
    name: 'Flechette',
    async load() {
      const { tableFromIPC } = await import('@uwdata/flechette');
      return (bytes) => tableFromIPC(bytes).toArray();
    },
  },
};

const GENERATES = 'generates code while it runs, which this page’s security policy forbids: the benchmarks compare it';
const GENERATED = 'reads by classes that are generated from each schema in advance: the benchmarks compare it';

/** Libraries that cannot read a payload on this page, and why. */
export const ABSENT_LIBRARIES: Partial<Record<FormatId, { name: string; why: string }>> = {
  avro: { name: 'avsc', why: GENERATES },
  protobuf: { name: 'protobuf.js', why: GENERATES },
  sia: { name: 'sializer', why: GENERATES },
  jsbinary: { name: 'js-binary', why: GENERATES },
  flatbuffers: { name: 'flatbuffers', why: GENERATED },
  capnproto: { name: 'capnp-es', why: GENERATED },
  bebop: { name: 'bebop', why: GENERATED },
};
