import { useSignal } from '@preact/signals';
import { useMemo } from 'preact/hooks';
import { toBase64 } from '../../adapter/bytes.ts';
import { hasSignature } from '../../reading/file-types/signatures.ts';

/** Image preview; renders nothing for bytes that are no image. */
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

/** Signatures of the image types that browsers render: bytes in hexadecimal, and their offset. */
const IMAGES: readonly (readonly [type: string, hex: string, at?: number])[] = [
  ['image/png', '89504e470d0a1a0a'],
  ['image/jpeg', 'ffd8ff'],
  ['image/gif', '47494638'],
  ['image/webp', '57454250', 8],
  ['image/avif', '6674797061766966', 4],
  ['image/x-icon', '00000100'],
];
/** Maximum size of a rendered image. */
const MAX_BYTES = 8_000_000;

/** Media type of an image that browsers render; undefined for other bytes and for images that are too large. */
function imageTypeOf(bytes: Uint8Array): string | undefined {
  if (bytes.length > MAX_BYTES) return undefined;
  return IMAGES.find(([, hex, at]) => hasSignature(bytes, hex, at))?.[0];
}
