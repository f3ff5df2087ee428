import type { ReadonlySignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import type { Theme } from '../site/theme.ts';
import { formatBytes, formatCount } from '../ui/numbers.ts';
import { type Tile, Tiles } from '../ui/tiles.tsx';
import type { Facts, Playground } from './playground.ts';

/** The payload: its format, and its values next to their bytes, as the DevTools panel shows them. */
export function WhatPanel({ playground, theme }: { playground: Playground; theme: ReadonlySignal<Theme> }) {
  const place = useRef<HTMLDivElement>(null);
  const { source, facts, activity } = playground;
  useEffect(() => playground.show(place.current!, theme), [playground, theme]);
  return (
    <section class="panel" aria-labelledby="what-title" hidden={!source.value}>
      <div class="panel-head">
        <h2 id="what-title">What it is</h2>
        <p class="small muted" role="status">
          {activity.value === 'opening' ? 'Reading…' : source.value?.name}
        </p>
      </div>
      {facts.value && <Tiles tiles={tilesOf(facts.value, playground.gzip.value)} />}
      <SchemaChoice playground={playground} />
      <div class="playground-body" ref={place} />
    </section>
  );
}

function tilesOf({ body, records, label, content }: Facts, gzip: number): Tile[] {
  const { detection } = body;
  const percent = Math.round(detection.confidence * 100);
  return [
    { label: percent < 100 ? `${percent} % certain` : 'Format', value: detection.sequence ? `${label}, sequence` : label },
    { label: 'Bytes', value: formatBytes(content.length) },
    ...(gzip > 0 ? [{ label: 'With gzip', value: formatBytes(gzip) }] : []),
    { label: body.isPart ? 'Values shown' : 'Values', value: formatCount(body.tree!.count - 1) },
    ...(records ? [{ label: body.isPart ? 'Records shown' : 'Records', value: formatCount(records.count) }] : []),
  ];
}

/** The schema and its type, once a schema was dropped. */
function SchemaChoice({ playground }: { playground: Playground }) {
  const { schemas, schema } = playground;
  if (schemas.value.length === 0) return null;
  const used = schemas.value.find(({ name }) => name === schema.value?.file);
  return (
    <div class="table-tools">
      <label class="table-search">
        <span class="small muted">Schema</span>
        <select
          value={used?.name ?? ''}
          onChange={(event) => {
            const { value } = event.currentTarget;
            void playground.chooseSchema(value, schemas.value.find(({ name }) => name === value)?.types[0] ?? '');
          }}
        >
          <option value="">none</option>
          {schemas.value.map(({ name }) => (
            <option key={name}>{name}</option>
          ))}
        </select>
      </label>
      {used && used.types.length > 0 && (
        <label class="table-search">
          <span class="small muted">Type of the payload</span>
          <select value={schema.value!.type} onChange={(event) => void playground.chooseSchema(used.name, event.currentTarget.value)}>
            {used.types.map((type) => (
              <option key={type}>{type}</option>
            ))}
          </select>
        </label>
      )}
    </div>
  );
}
