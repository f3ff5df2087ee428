import { encodingLabel } from '../payloads/catalogue.ts';
import type { Download } from './downloads.ts';
import { formatBytes, formatMs } from '../ui/numbers.ts';
import { Progress } from '../ui/progress.tsx';

/** Downloads for the race, which its times do not include. */
export function DownloadList({ downloads }: { downloads: readonly Download[] }) {
  if (downloads.length === 0) {
    return (
      <p class="small muted">
        Payloads are downloaded before the race, once each. The clocks below start with the bytes in memory: they measure decoding, not the network.
      </p>
    );
  }
  return (
    <ul class="downloads" aria-label="Downloads, not part of the race">
      {downloads.map((download) => (
        <li key={download.encoding}>
          <p class="download-text">
            <span>{encodingLabel(download.encoding)}</span>
            <span class="muted">{describe(download)}</span>
          </p>
          <Progress label={`Download of ${encodingLabel(download.encoding)}`} fraction={fraction(download)} />
        </li>
      ))}
    </ul>
  );
}

function describe({ state, received, total, ms }: Download): string {
  if (state === 'failed') return 'incomplete';
  if (state === 'ready') return `${formatBytes(received)} in ${formatMs(ms ?? 0)}`;
  if (received === 0) return 'the server generates it on the first request';
  return total === undefined ? formatBytes(received) : `${formatBytes(received)} of ${formatBytes(total)}`;
}

function fraction({ state, received, total }: Download): number | undefined {
  if (state === 'failed') return 0;
  return received > 0 && total !== undefined ? received / total : undefined;
}
