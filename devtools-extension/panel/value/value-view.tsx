import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { NONE, STRING, TEXT, BINARY } from '../../../core/sinks/spans/tree.ts';
import type { Detection } from '../../reading/protocol.ts';
import { hexOf } from '../../adapter/bytes.ts';
import { type Inside, insideOf } from './inside.ts';
import { interpret } from './interpret/index.ts';
import { ImagePreview } from './image-preview.tsx';
import { jsonLines } from '../../values/json-lines.ts';
import { formatCount } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import type { Panel } from '../panel.ts';
import { runSliced } from '../shared/slices.ts';
import { useAnswer } from '../shared/use-answer.ts';
import { valueText } from '../../values/value-text.ts';
import { visibleLines, visibleName } from '../../text/visible-text.ts';

/** Limits of the shown value: text in UTF-16 units, bytes, and lines of JSON. */
const MAX_TEXT = 100_000;
const MAX_BYTES = 16_384;
const MAX_LINES = 2_000;
/** Minimum confidence to offer a payload. */
const MIN_CONFIDENCE = 0.4;

/** Value pane: the full selected value and its interpretations. */
export function ValueView({ panel, body }: { panel: Panel; body: OpenBody }) {
  const node = body.selected.value;
  const tree = body.tree!;
  const isThere = node !== NONE && node > 0;
  const meanings = isThere ? interpret(tree, node) : [];
  return (
    <aside class="value-view" aria-label="Whole value">
      <header class="value-head">
        <strong>Value</strong>
      </header>
      {!isThere ? (
        <p class="muted">Nothing is selected.</p>
      ) : (
        <div class="value-body" tabIndex={0} role="region" aria-label="Value and interpretations">
          <InsideView key={node} panel={panel} body={body} node={node} />
          <WholeText body={body} node={node} />
          {meanings.length > 0 && (
            <dl class="facts">
              {meanings.flatMap(({ name, value }, index) => [<dt key={`name ${index}`}>{name}</dt>, <dd key={`value ${index}`}>{value}</dd>])}
            </dl>
          )}
        </div>
      )}
    </aside>
  );
}

/** Buttons that open payloads inside the value, with their detected format. */
function InsideView({ panel, body, node }: { panel: Panel; body: OpenBody; node: number }) {
  const found = useSignal<readonly { inside: Inside; detection: Detection }[]>([]);
  useEffect(() => {
    const controller = new AbortController();
    const detect = async (): Promise<void> => {
      for (const inside of insideOf(body, node)) {
        const detection = await panel.client.call(
          'detect',
          { bytes: inside.bytes(), contentType: '' },
          { signal: controller.signal, isBackground: true },
        );
        // A few bytes may be anything, so uncertain formats are not offered.
        if (detection.wrappings.length > 0 || (detection.format !== undefined && detection.confidence > MIN_CONFIDENCE))
          found.value = [...found.value, { inside, detection }];
      }
    };
    detect().catch(() => undefined);
    return () => controller.abort();
  }, [body, node]);
  const any = insideOf(body, node).find(({ message }) => message !== undefined);
  return (
    <div class="choices value-inside">
      {any && <AnyView panel={panel} node={node} inside={any} message={any.message!} />}
      {found.value.map(({ inside, detection: { format, wrappings, confidence } }) => (
        <button class="button button-small" key={inside.how} onClick={() => void panel.selection.openInside(node, inside)}>
          Open {inside.how === 'bytes' || inside.how === 'text' ? '' : `the ${inside.how} `}as {[...wrappings, format ?? 'bytes'].join(', ')}
          {format && ` (${Math.round(confidence * 100)} %)`}
        </button>
      ))}
    </div>
  );
}

/** Button for the message in an `Any`, or a hint to drop its schema. */
function AnyView({ panel, node, inside, message }: { panel: Panel; node: number; inside: Inside; message: string }) {
  const schema = panel.schemas.ofMessage(message);
  if (!schema) return <p class="muted">Any of {visibleName(message)}: drop the .proto that defines it to see its fields.</p>;
  return (
    <button class="button button-small" onClick={() => void panel.selection.openInside(node, inside, { schema })}>
      Open as {visibleName(message)}
    </button>
  );
}

function WholeText({ body, node }: { body: OpenBody; node: number }) {
  const tree = body.tree!;
  const kind = tree.data.kinds[node];
  if (tree.isContainer(node)) return <JsonText key={node} body={body} node={node} />;
  if (kind === STRING || kind === TEXT) {
    const text = tree.text(node, MAX_TEXT + 1);
    return (
      <>
        <pre class="value-text value-string">{visibleLines(text.slice(0, MAX_TEXT))}</pre>
        {text.length > MAX_TEXT && <p class="muted">truncated: copy or save the value to get all of it</p>}
      </>
    );
  }
  if (kind === BINARY) {
    const bytes = tree.binary(node);
    return (
      <>
        <ImagePreview bytes={bytes} />
        <pre class="value-text value-binary">{hexOf(bytes.subarray(0, MAX_BYTES))}</pre>
        {bytes.length > MAX_BYTES && <p class="muted">and {formatCount(bytes.length - MAX_BYTES)} more bytes</p>}
      </>
    );
  }
  return <pre class="value-text">{valueText(tree, node).text}</pre>;
}

/** A container as JSON. */
function JsonText({ body, node }: { body: OpenBody; node: number }) {
  const lines = useAnswer((signal) => runSliced(jsonLines(body.tree!, node, MAX_LINES), signal), [body, node]);
  return <pre class="value-text">{lines && visibleLines(lines.join('\n'))}</pre>;
}
