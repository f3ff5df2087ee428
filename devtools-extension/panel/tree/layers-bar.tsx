import type { Panel } from '../panel.ts';

/** Breadcrumbs of enclosing payloads. */
export function LayersBar({ panel }: { panel: Panel }) {
  const layers = panel.selection.layers.value;
  if (layers.length === 0) return null;
  return (
    <nav class="layers" aria-label="Enclosing payloads">
      <ol>
        {layers.map(({ label }, depth) => (
          <li key={depth}>
            <button class="button button-small" onClick={() => panel.selection.back(depth)}>
              {label}
            </button>
          </li>
        ))}
        <li aria-current="true">{layers.at(-1)!.inner}</li>
      </ol>
    </nav>
  );
}
