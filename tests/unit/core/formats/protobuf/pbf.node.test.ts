import parse from 'protocol-buffers-schema';
import { PbfReader } from 'pbf';
import { compile as compilePbf } from 'pbf/compile';
import { test } from 'vitest';
import protobuf from '../../../../../core/formats/protobuf/index.ts';
import { caseCount } from '../../../../setup/properties/case-count.ts';
import { assertSame, decodeWith } from '../../../../setup/ways/differential.ts';
import { sorted } from './compare.ts';
import { Dice, randomMessage } from './random.ts';

test('decodes serialised messages to the same values as pbf', async () => {
  const proto = `
    syntax = "proto3";
    message M0 {
      int32 a = 1; uint32 b = 2; sint32 c = 3; bool d = 4; string e = 5; double f = 6; float g = 7; fixed32 h = 8;
      repeated int32 i = 9; repeated string j = 10; repeated M0 k = 11; map<int32, int32> l = 12;
      sfixed32 n = 14; repeated double o = 15; E p = 16;
      enum E { ZERO = 0; ONE = 1; }
    }`;
  const schema = await protobuf.compileSchema!({ proto, message: 'M0' });
  const { readM0 } = compilePbf(parse(proto)) as { readM0: (reader: PbfReader) => unknown };
  for (let seed = 0; seed < caseCount(1000); seed += 1) {
    const bytes = Uint8Array.from(randomMessage(new Dice(seed), schema!, schema!.root, { orderly: true, inRange: true }));
    assertSame(sorted(decodeWith(protobuf, bytes, { schema })), sorted(readM0(new PbfReader(bytes))));
  }
});
