import { useLayoutEffect, useMemo, useRef } from 'preact/hooks';
import { trustedHtml } from '../../reading/worker/trusted.ts';
import type { OpenBody } from '../body/open-body.ts';
import { previewOf } from './preview.ts';
import { inertDocument } from './inert-document.ts';
import { ImagePreview } from './image-preview.tsx';
import { Note } from '../shared/note.tsx';

/** Preview tab. Nothing in the body runs or requests anything from the network. */
export function PreviewView({ body }: { body: OpenBody }) {
  const preview = previewOf(body);
  if (!preview) return <Note title="No preview">The body is not a document or image.</Note>;
  return preview.kind === 'html' ? <DocumentPreview bytes={body.bytes} /> : <ImagePreview bytes={body.bytes} type={preview.type} />;
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
