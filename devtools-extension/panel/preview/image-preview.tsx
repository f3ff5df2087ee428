import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { toBase64 } from '../../adapter/bytes.ts';
import { imageTypeOf } from './preview.ts';

/** Image preview; renders nothing for bytes that are no image. `type` overrides detection. */
export function ImagePreview({ bytes, type: given }: { bytes: Uint8Array; type?: string }) {
  const size = useSignal('');
  const source = useMemo(() => {
    const type = given ?? imageTypeOf(bytes);
    return type && { type, url: `data:${type};base64,${toBase64(bytes)}` };
  }, [bytes, given]);
  if (!source) return null;
  return (
    <figure class="image-preview">
      <img
        src={source.url}
        alt="Image in the body"
        onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) => {
          size.value = `, ${naturalWidth} × ${naturalHeight}`;
        }}
        onError={() => {
          size.value = ', cannot be shown';
        }}
      />
      <figcaption class="muted">
        {source.type}
        {size.value}
      </figcaption>
    </figure>
  );
}
