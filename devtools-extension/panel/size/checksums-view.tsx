import { useSignal } from '@preact/signals';
import { useEffect } from 'preact/hooks';
import { type Checksums, crc32, digestsOf } from './checksums.ts';
import { runSliced } from '../shared/slices.ts';

/** The checksums of a body, to compare it with others by. */
export function ChecksumsView({ bytes }: { bytes: Uint8Array }) {
  const checksums = useSignal<Checksums>([]);
  useEffect(() => {
    let isGone = false;
    checksums.value = [];
    void Promise.all([runSliced(crc32(bytes), () => isGone), digestsOf(bytes)]).then(([crc = 0, digests]) => {
      if (!isGone) checksums.value = [['CRC-32', crc.toString(16).padStart(8, '0')], ...digests];
    });
    return () => {
      isGone = true;
    };
  }, [bytes]);
  return (
    <section class="entropy" aria-label="Checksums">
      <h3>Checksums</h3>
      <dl class="facts">{checksums.value.flatMap(([name, hex]) => [<dt key={`name ${name}`}>{name}</dt>, <dd key={name}>{hex}</dd>])}</dl>
    </section>
  );
}
