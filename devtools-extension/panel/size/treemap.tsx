import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import { useRef } from 'preact/hooks';
import { formatBytes, formatCount, formatPercent } from '../../text/numbers.ts';
import { useSize } from '../shared/use-size.ts';
import type { SizePlace } from './size.ts';

const HEIGHT = 260;
/** Smallest share of the bytes that has an area of its own. */
const MIN_SHARE = 0.001;
/** Padding of an area on both sides, and the height that one and two lines need with it, in pixels. */
const PADDING = 12;
const ONE_LINE = 21;
const TWO_LINES = 36;

interface Area {
  name: string;
  value: number;
  children: Area[];
}

/** Treemap of bytes by path. An area has its name and size where they fit as a whole, and in its tooltip. */
export function Treemap({ places, total }: { places: SizePlace; total: number }) {
  const element = useRef<HTMLDivElement>(null);
  const { width } = useSize(element).value;
  const root = hierarchy(areasOf(places, total * MIN_SHARE))
    .sum(({ value }) => value)
    .sort((a, b) => (b.value ?? 0) - (a.value ?? 0));
  const laid = treemap<Area>().size([width, HEIGHT]).paddingInner(2).tile(treemapSquarify.ratio(1.6)).round(true)(root);
  const leaves = laid.leaves();
  const widthOf = textMeasure(element.current);
  return (
    <div
      ref={element}
      class="treemap"
      role="img"
      aria-label={`Bytes by path: ${leaves
        .slice(0, 5)
        .map(({ data, value }) => `${data.name} ${formatPercent((value ?? 0) / total)}`)
        .join(', ')}`}
    >
      {leaves.map(({ data, x0, x1, y0, y1, value = 0 }, index) => {
        const [name, size] = [shortName(data.name), formatBytes(value)];
        const fits = (text: string, least: number): boolean => y1 - y0 >= least && widthOf(text) + PADDING <= x1 - x0;
        return (
          <div
            key={`${data.name} ${index}`}
            class="area"
            title={`${data.name}: ${formatCount(value)} bytes, ${formatPercent(value / total)}`}
            style={{
              left: `${x0}px`,
              width: `${x1 - x0}px`,
              top: `${y0}px`,
              height: `${y1 - y0}px`,
              background: `var(--area-${Math.min(5, Math.floor(index / 2))})`,
            }}
          >
            {fits(name, ONE_LINE) && <span class="area-name">{name}</span>}
            {fits(name, TWO_LINES) && fits(size, TWO_LINES) && <span class="area-size">{size}</span>}
          </div>
        );
      })}
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

/** Measures texts in the font of an element, in pixels. */
function textMeasure(element: Element | null): (text: string) => number {
  const pen = element && document.createElement('canvas').getContext('2d');
  if (!pen) return () => Infinity;
  // The shorthand is empty where figures have a width of their own.
  const { fontWeight, fontSize, fontFamily } = getComputedStyle(element);
  pen.font = `${fontWeight} ${fontSize} ${fontFamily}`;
  return (text) => Math.ceil(pen.measureText(text).width);
}
