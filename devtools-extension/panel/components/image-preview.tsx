import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { toBase64 } from '../../adapter/bytes.ts';
import { imageTypeOf } from '../models/image.ts';

/** The image that bytes are; nothing where they are none. */
export function ImagePreview({ bytes }: { bytes: Uint8Array }) {
  const size = useSignal('');
  const source = useMemo(() => {
    const type = imageTypeOf(bytes);
    return type && { type, url: `data:${type};base64,${toBase64(bytes)}` };
  }, [bytes]);
  if (!source) return null;
  return (
    <figure class="image-preview">
      <img
        src={source.url}
        alt="What the bytes show"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          size.value = `, ${naturalWidth} × ${naturalHeight}`;
        }}
        onError={() => {
          size.value = ', which cannot be shown';
        }}
      />
      <figcaption class="muted">
        {source.type}
        {size.value}
      </figcaption>
    </figure>
  );
}
