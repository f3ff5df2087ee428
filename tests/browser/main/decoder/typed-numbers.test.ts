import { afterEach, describe, expect, test } from 'vitest';
import { createDecoder, type Decoder, type FlatPoints, type Rows } from '../../../../main/index.ts';
import { encodeSync } from '../../../../main/sync.ts';
import jsonEncoder from '../../../../core/formats/json/writer.ts';
import messagepackEncoder from '../../../../core/formats/messagepack/writer.ts';

interface Feature<Coordinates, Weights> {
  id: number;
  geometry: { type: string; coordinates: Coordinates };
  weights: Weights;
}

const decoders: Decoder[] = [];

function make(options: object = {}): Decoder {
  const decoder = createDecoder(options);
  decoders.push(decoder);
  return decoder;
}

afterEach(() => {
  for (const decoder of decoders.splice(0)) decoder.close();
});

const features: Feature<number[][][], number[]>[] = Array.from({ length: 600 }, (_, id) => ({
  id,
  geometry: {
    type: 'Polygon',
    coordinates: [
      [
        [id, 0.5],
        [id + 1.25, -7],
        [id, 0.5],
      ],
      [
        [1, 2],
        [3, 4],
      ],
    ],
  },
  weights: [id, -0, 1e300],
}));
const typed: Feature<FlatPoints, Float64Array>[] = features.map(({ id, geometry, weights }) => ({
  id,
  geometry: {
    type: geometry.type,
    coordinates: { positions: Float64Array.from(geometry.coordinates.flat(2)), size: 2, offsets: [Int32Array.of(0, 3, 5)] },
  },
  weights: Float64Array.from(weights),
}));
const payloads = {
  json: encodeSync(jsonEncoder, { features }).slice(),
  messagepack: encodeSync(messagepackEncoder, { features }),
};
// JSON.stringify makes −0 to 0.
const ofFormat = (format: keyof typeof payloads): typeof typed =>
  format === 'json' ? typed.map((feature) => ({ ...feature, weights: feature.weights.map((weight) => weight + 0) })) : typed;

describe.each(Object.keys(payloads) as (keyof typeof payloads)[])('typed numbers in %s', (format) => {
  test.each(['page', 'worker'] as const)('are made on the %s, in objects and rows', async (route) => {
    const decoder = make({ syncBelow: 0 });
    const options = { format, route, numbers: 'typed' } as const;
    expect(await decoder.decode(payloads[format], options)).toEqual({ features: ofFormat(format) });
    const rows = (await decoder.decode(payloads[format], { ...options, as: 'rows' })) as { features: Rows<(typeof typed)[0]> };
    expect(rows.features.toArray()).toEqual(ofFormat(format));
    const picked = await decoder.decode(payloads[format], { ...options, pick: ['features.weights'] });
    expect(picked).toEqual({ features: ofFormat(format).map(({ weights }) => ({ weights })) });
  });

  test('are made of responses and short payloads', async () => {
    const decoder = make();
    expect(await decoder.decode(new Response(payloads[format]), { format, numbers: 'typed' })).toEqual({ features: ofFormat(format) });
    const short = encodeSync(format === 'json' ? jsonEncoder : messagepackEncoder, [1, 2.5]);
    expect(await decoder.decode(short, { format, numbers: 'typed' })).toEqual(Float64Array.of(1, 2.5));
  });
});

test('typed numbers are refused for batches, together with previous, and by another name', async () => {
  const decoder = make();
  const numbers = { numbers: 'typed' } as const;
  await expect(decoder.decode(payloads.json, { ...numbers, previous: undefined })).rejects.toThrow('numbers and previous');
  await expect(decoder.decode(payloads.json, { numbers: 'array' } as never)).rejects.toThrow('invalid option numbers');
  const read = async (): Promise<void> => {
    for await (const _ of decoder.batches(new Response(payloads.json), { path: 'features', ...numbers } as never)) void _;
  };
  await expect(read()).rejects.toThrow('not for batches');
});
