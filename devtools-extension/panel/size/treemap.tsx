import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { formatBytes, formatCount, formatPercent } from '../../text/numbers.ts';
import type { SizePlace } from './size.ts';

const WIDTH = 1000;
const HEIGHT = 260;
const SMALLEST = 0.001;

interface Area {
  name: string;
  value: number;
  children: Area[];
}

/** Treemap of bytes by path. */
export function Treemap({ places, total }: { places: SizePlace; total: number }) {
  const root = hierarchy(areasOf(places, total * SMALLEST))
    .sum(({ value }) => value)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const laid = treemap<Area>().size([WIDTH, HEIGHT]).paddingInner(2).tile(treemapSquarify.ratio(1.6)).round(true)(root);
  const leaves = laid.leaves();
  return (
    <div
      class="treemap"
      role="img"
      aria-label={`Bytes by path: ${leaves
        .slice(0, 5)
        .map(({ data, value }) => `${data.name} ${formatPercent((value ?? 0) / total)}`)
        .join(', ')}`}
    >
      {leaves.map(({ data, x0, x1, y0, y1, value = 0 }, index) => (
        <div
          key={`${data.name} ${index}`}
          class={`area area-${Math.min(5, Math.floor(index / 2))}`}
          title={`${data.name}: ${formatCount(value)} bytes, ${formatPercent(value / total)}`}
          style={{ left: `${(x0 / WIDTH) * 100}%`, width: `${((x1 - x0) / WIDTH) * 100}%`, top: `${y0}px`, height: `${y1 - y0}px` }}
        >
          {x1 - x0 > 60 && y1 - y0 > 20 && (
            <>
              <span class="area-name">{shortName(data.name)}</span>
              {y1 - y0 > 38 && <span class="area-size">{formatBytes(value)}</span>}
            </>
          )}
        </div>
      ))}
    </div>
  );
}

/** Merges small paths with their parent. */
function areasOf(place: SizePlace, least: number): Area {
  const large = place.children.filter(({ subtotal }) => subtotal >= least);
  const small = place.children.filter(({ subtotal }) => subtotal < least).reduce((sum, { subtotal }) => sum + subtotal, 0);
  const children = large.map((child) => areasOf(child, least));
  const own = place.total + small;
  if (children.length === 0) return { name: place.name, value: own, children: [] };
  if (own >= least) children.push({ name: `${place.name} itself`, value: own, children: [] });
  return { name: place.name, value: 0, children };
}

function shortName(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1) || name;
}
