import { GeoJSONVT } from '@maplibre/geojson-vt';
import { fromGeojsonVt } from '@maplibre/vt-pbf';
import { expect, test } from 'vitest';
import { createPageAdapter } from '../../../../devtools-extension/adapter/page.ts';
import { builtInSchema } from '../../../../devtools-extension/panel/schemas/built-in-schemas.ts';
import { compileSchema } from '../../../../devtools-extension/reading/schemas/compile-schema.ts';
import { valueText } from '../../../../devtools-extension/values/value-text.ts';
import { readWhole } from '../read.ts';

test('the tags of a feature show its properties, of each type', async () => {
  const properties = { name: 'Oak "St"', docks: 7, offset: -3, share: 0.5, open: true, closed: false };
  const features = [properties, { name: 'Elm' }].map((own) => ({
    type: 'Feature' as const,
    geometry: { type: 'Point' as const, coordinates: [13, 52] },
    properties: own,
  }));
  const index = new GeoJSONVT({ type: 'FeatureCollection', features });
  const bytes = fromGeojsonVt({ stations: index.getTile(0, 0, 0)! }, { version: 2, extent: 4096 });
  const schema = await compileSchema(builtInSchema(createPageAdapter().add({ url: 'https://a.test/0/0/0.pbf', contentType: '' })));
  const { tree } = await readWhole(bytes, { format: 'protobuf', schema });
  const tags = Array.from({ length: tree!.count }, (_, node) => node).filter((node) => tree!.key(node) === 'tags');
  expect(tags.map((node) => valueText(tree!, node).text)).toEqual([
    '{name: "Oak \\"St\\"", docks: 7, offset: -3, share: 0.5, open: true, closed: false} [12 items]',
    '{name: "Elm"} [2 items]',
  ]);
});
