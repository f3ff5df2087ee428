import type { Panel } from '../panel.ts';
import { useMemo, useRef } from 'preact/hooks';
import { NONE } from '../../../core/sinks/spans/tree.ts';
import { formatCount, formatOffset } from '../../text/numbers.ts';
import { legendOf, type OpenBody } from '../body/open-body.ts';
import { storedSignal } from '../shared/settings.ts';
import { layOut, wantedTreeWidth } from './tree-layout.ts';
import { pathText, stepsText } from '../../values/value-text.ts';
import { visible } from '../../text/visible-text.ts';
import { CopyMenu } from '../copy/copy-menu.tsx';
import { HexPane } from '../bytes/hex-pane.tsx';
import { ImagePreview } from '../value/image-preview.tsx';
import { SearchBar } from '../body/search-bar.tsx';
import { Split } from '../shared/split.tsx';
import { ToggleButton } from '../shared/toggle-button.tsx';
import { type Size, useSize } from '../shared/use-size.ts';
import { TreePane } from './tree-pane.tsx';
import { ValueView } from '../value/value-view.tsx';

/** Negative: the tree takes the space that the bytes leave. */
const treeShare = storedSignal('tree-width', -1);
/** True if the value pane is shown. */
const isValueShown = storedSignal('value-shown', false);
const areBytesShown = storedSignal('bytes-shown', true);

/** Size of the last layout: the initial value for the next body. */
let lastRoom: Size = { width: 900, height: 500 };

/** Tree and bytes tab. */
export function TreeHex({ panel, body }: { panel: Panel; body: OpenBody }) {
  const element = useRef<HTMLDivElement>(null);
  lastRoom = useSize(element, lastRoom).value;
  const wanted = useMemo(() => (body.tree ? wantedTreeWidth(body) : 0), [body]);
  const { width, height } = lastRoom;
  const { bytes, size } = layOut(width, height, wanted, body.bytes.length);
  const isHexShown = areBytesShown.value && bytes !== 'alone';
  return (
    <div class="tree-hex">
      <LayersBar panel={panel} />
      {body.error && <ErrorLine body={body} />}
      {body.tree && <SearchBar body={body} tools={<Tools panel={panel} body={body} />} />}
      {!body.tree && <ImagePreview bytes={body.bytes} />}
      <div class="tree-and-value">
        <div class="tree-room" ref={element}>
          {!body.tree ? (
            <HexPane panel={panel} body={body} />
          ) : isHexShown ? (
            <Split
              class="tree-split"
              share={treeShare}
              secondSize={size}
              isStacked={bytes === 'below'}
              label={bytes === 'below' ? 'Height of the tree' : 'Width of the tree'}
              first={<TreePane panel={panel} body={body} />}
              second={<HexPane panel={panel} body={body} />}
            />
          ) : (
            <TreePane panel={panel} body={body} />
          )}
        </div>
        {body.tree && isValueShown.value && <ValueView panel={panel} body={body} />}
      </div>
      {body.tree && <Inspector panel={panel} body={body} />}
    </div>
  );
}

function Tools({ panel, body }: { panel: Panel; body: OpenBody }) {
  const { view } = body;
  return (
    <>
      <ToggleButton
        label="Bytes"
        title="Show the bytes next to the tree"
        isOn={areBytesShown.value}
        onToggle={(isOn) => (areBytesShown.value = isOn)}
      />
      {view?.hasFrames && (
        <ToggleButton
          label="Frames"
          title="Show the flags and lengths of the frames"
          isOn={view.areFramesShown.value}
          onToggle={(isOn) => view.showFrames(isOn)}
        />
      )}
      <ToggleButton
        label="Value"
        title="Show the full selected value and its interpretations"
        isOn={isValueShown.value}
        onToggle={(isOn) => (isValueShown.value = isOn)}
      />
      <CopyMenu panel={panel} body={body} />
    </>
  );
}

function ErrorLine({ body }: { body: OpenBody }) {
  const { reason, offset, path } = body.error!;
  return (
    <p class="error-line" role="alert">
      <strong>{offset === undefined ? 'Cannot be read' : `Broken at byte ${formatCount(offset)} (${formatOffset(offset)})`}</strong>
      <span>
        {visible(reason)}
        {path && path.length > 0 && ` · in ${shortPath(path)}`}
        {offset !== undefined && body.tree && ' · the tree shows the values before it'}
      </span>
      {offset !== undefined && (
        <button
          class="button button-small"
          onClick={() => {
            body.byte.value = -1;
            body.selectByte(offset);
          }}
        >
          Show
        </button>
      )}
    </p>
  );
}

/** Steps shown at the beginning and end of a long path. */
const SHOWN_STEPS = 4;

function shortPath(path: readonly (string | number)[]): string {
  if (path.length <= 2 * SHOWN_STEPS) return stepsText(path);
  const left = path.length - 2 * SHOWN_STEPS;
  return `${stepsText(path.slice(0, SHOWN_STEPS))} … ${formatCount(left)} levels … ${stepsText(path.slice(-SHOWN_STEPS)).slice(1)}`;
}

/** Position of a value in the enclosing payloads, as far as it is known. */
function outerPlaces(panel: Panel, { tree }: OpenBody, node: number): string {
  const places: string[] = [];
  let from = tree!.data.values[node]!;
  let end = Math.max(from, tree!.data.ends[node]! - 1);
  for (const { placeOf, label } of panel.selection.layers.value.toReversed()) {
    if (!placeOf) break;
    from = placeOf(from);
    end = placeOf(end);
    places.push(`, in ${label} ${formatOffset(from)} to ${formatOffset(end + 1)}`);
  }
  return places.join('');
}

/** Status line with the position of the selected value. */
function Inspector({ panel, body }: { panel: Panel; body: OpenBody }) {
  const node = body.selected.value;
  const tree = body.tree!;
  if (node === NONE) return <footer class="inspector muted">Nothing is selected</footer>;
  if (node === 0) return <footer class="inspector muted">Byte {formatOffset(Math.max(0, body.byte.value))} is outside the value</footer>;
  const note = body.note(node);
  const parts = body.parts(node);
  const hasBytes = !tree.data.extents || tree.data.ends[node]! > tree.data.values[node]!;
  const place = hasBytes ? `${formatOffset(tree.data.values[node]!)} to ${formatOffset(tree.data.ends[node]!)}` : '';
  return (
    <footer class="inspector">
      <code class="inspector-path">{pathText(tree, node)}</code>
      <span title={note || undefined}>{body.describe(node).name}</span>
      {note && <span class="muted">{note}</span>}
      <span class="legend">
        {legendOf(parts).map(({ name, label, size }) => (
          <span class="legend-item" key={label}>
            <i class={`swatch tint-${name}`} />
            {label} {formatCount(size)}
          </span>
        ))}
      </span>
      <span class="muted">
        {parts.length === 0 ? 'no bytes of its own' : place}
        {outerPlaces(panel, body, node)}
      </span>
    </footer>
  );
}

/** Breadcrumbs of enclosing payloads. */
function LayersBar({ panel }: { panel: Panel }) {
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
