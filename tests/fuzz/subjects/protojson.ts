import type { ProtoJsonOptions } from '../../../core/formats/protojson/index.ts';
import writer from '../../../core/formats/protojson/writer.ts';
import protobuf from '../../../core/formats/protobuf/index.ts';
import { decodeWith } from '../../setup/ways/differential.ts';
import { encodeWith } from '../../setup/ways/encode-with.ts';
import { schema, seeds as messages } from './protobuf.ts';

export { schema } from './protobuf.ts';

/** Options for decoding mutated inputs, used in turn. */
export const options: readonly ProtoJsonOptions[] = [
  {},
  { wellKnownTypes: 'value', enums: 'name', oneofs: true, defaults: 'none', unknown: 'skip' },
  { maps: 'map', int64: 'string', defaults: 'all', partial: true },
  { sequence: true, int64: 'bigint', names: 'proto' },
];

const MORE = [
  '{"when":"2024-02-29T12:00:00.5+01:00","period":"-1.5s","mask":"a.bC,d","struct":{"a":[1,null,{"b":"c"}]},"values":[null,1,"x",true,[2],{}]}',
  '{"any":{"@type":"x/M","a":1,"any":{"@type":"x/google.protobuf.Duration","value":"3s"}},"text":"t","byName":{"k":{"b":"-7"}}}',
  '{"colours":{"-1":"GREEN"},"all":["RED",2],"pair":{"left":1,"right":[{"left":2}]},"e":"-_8=","c":"NaN","packed":["18446744073709551615"]}',
  '{"a":1}\n{"texts":["x","\\u00e9"]}\n',
];

/** Inputs of every kind. */
export function seeds(): Uint8Array[] {
  const written = messages().flatMap((bytes) => {
    try {
      const value = decodeWith(protobuf, bytes, { schema, options: { defaults: 'none', partial: true } });
      return [encodeWith(writer, value, { schema, options: { partial: true } })];
    } catch {
      // The messages are random: some have a time or an Any that JSON cannot have.
      return [];
    }
  });
  return [...written, ...MORE.map((text) => new TextEncoder().encode(text))];
}
