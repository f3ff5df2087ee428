import { useSignal } from '@preact/signals';
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { trustedHtml } from '../../reading/worker/trusted.ts';
import { formatBytes } from '../../text/numbers.ts';
import type { OpenBody } from '../body/open-body.ts';
import { type Preview, previewOf } from './preview.ts';
import { inertDocument } from './inert-document.ts';
import { ImagePreview } from './image-preview.tsx';
import { Note } from '../shared/note.tsx';

/** Preview tab. Nothing in the body runs or requests anything from the network. */
export function PreviewView({ body }: { body: OpenBody }) {
  const preview = previewOf(body);
  if (!preview) return <Note title="No preview">The body is not a document, image, font, audio or video.</Note>;
  const { kind, type } = preview;
  switch (kind) {
    case 'html':
      return <DocumentPreview bytes={body.bytes} />;
    case 'image':
      return <ImagePreview bytes={body.bytes} type={type} />;
    case 'font':
      return <FontPreview key={body} bytes={body.bytes} type={type} />;
    default:
      return <MediaPreview key={body} bytes={body.bytes} preview={preview} />;
  }
}

function DocumentPreview({ bytes }: { bytes: Uint8Array }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const html = useMemo(() => inertDocument(new TextDecoder().decode(bytes)), [bytes]);
  useLayoutEffect(() => {
    frame.current!.srcdoc = trustedHtml(html);
  }, [html]);
  return (
    <div class="preview-view">
      <p class="muted view-bar">Shown without scripts and without external images, fonts and style sheets.</p>
      <iframe ref={frame} class="preview-document" title="Preview of the document" sandbox="" referrerpolicy="no-referrer" />
    </div>
  );
}

const SIZES = [48, 32, 24, 18, 14, 11];
const PANGRAM = 'Sphinx of black quartz, judge my vow';
const CHARACTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ abcdefghijklmnopqrstuvwxyz 0123456789 .,:;!?‘’“”()[]{}@#&%*+−=/ ÄÖÜßéèçñøł';
let fonts = 0;

/** A font in several sizes, with sample text that the user can change. */
function FontPreview({ bytes, type }: { bytes: Uint8Array; type: string }) {
  const text = useSignal(PANGRAM);
  const state = useSignal('loading…');
  const name = useMemo(() => `unspool-sample-${(fonts += 1)}`, [bytes]);
  useEffect(() => {
    // Copies the bytes, because the panel keeps reading them.
    const face = new FontFace(name, Uint8Array.from(bytes).buffer);
    document.fonts.add(face);
    face.load().then(
      () => {
        state.value = 'shown';
      },
      () => {
        state.value = 'cannot be shown';
      },
    );
    return () => {
      document.fonts.delete(face);
    };
  }, [bytes, name]);
  const style = { fontFamily: `${name}, var(--font-code)` };
  return (
    <div class="preview-view">
      <div class="view-bar">
        <input
          class="field preview-text"
          aria-label="Sample text"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value;
          }}
        />
        <span class="muted" role="status">
          {type}, {formatBytes(bytes.length)}
          {state.value !== 'shown' && `, ${state.value}`}
        </span>
      </div>
      <div class="preview-room preview-font" style={style} tabIndex={0} role="region" aria-label="Font sample">
        {SIZES.map((size) => (
          <p key={size} style={{ fontSize: `${size}px` }}>
            {text.value || PANGRAM}
          </p>
        ))}
        <p class="preview-characters">{CHARACTERS}</p>
      </div>
    </div>
  );
}

/** Audio or video with the browser's controls. */
function MediaPreview({ bytes, preview: { kind, type } }: { bytes: Uint8Array; preview: Preview }) {
  const source = useSignal('');
  const state = useSignal('');
  useEffect(() => {
    const url = URL.createObjectURL(new Blob([bytes as Uint8Array<ArrayBuffer>], { type }));
    source.value = url;
    return () => URL.revokeObjectURL(url);
  }, [bytes, type]);
  const told = {
    controls: true,
    preload: 'metadata' as const,
    src: source.value,
    onLoadedMetadata: ({ currentTarget }: { currentTarget: HTMLMediaElement }) => {
      const { duration } = currentTarget;
      const size = currentTarget instanceof HTMLVideoElement ? `, ${currentTarget.videoWidth} × ${currentTarget.videoHeight}` : '';
      state.value = `${Number.isFinite(duration) ? `, ${duration.toFixed(1)} s` : ''}${size}`;
    },
    onError: () => {
      state.value = ', cannot be played';
    },
  };
  return (
    <div class="preview-view">
      <p class="view-bar muted" role="status">
        {type}, {formatBytes(bytes.length)}
        {state.value}
      </p>
      <div class="preview-room">
        {source.value !== '' &&
          (kind === 'video' ? (
            <video class="preview-media" aria-label="Video" {...told} />
          ) : (
            <audio class="preview-media" aria-label="Audio" {...told} />
          ))}
      </div>
    </div>
  );
}
