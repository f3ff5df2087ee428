import { DAMAGES, ENCODINGS, RESULT_KINDS, SIZES } from '../payloads/catalogue.ts';
import { formatCount } from '../ui/numbers.ts';
import type { Settings } from './settings.ts';
import { Segments } from '../ui/segments.tsx';

const sizes = SIZES.map((value) => ({ value, label: formatCount(value) }));

export function SettingsPanel({ settings, disabled }: { settings: Settings; disabled: boolean }) {
  return (
    <div class="settings">
      <Segments<number> label="Rows" value={settings.rows} choices={sizes} disabled={disabled} />
      <Segments label="Encoding" value={settings.encoding} choices={ENCODINGS} disabled={disabled} />
      <Segments label="Payload" value={settings.damage} choices={DAMAGES} disabled={disabled} />
      <Segments label="Unspool gives" value={settings.result} choices={RESULT_KINDS} disabled={disabled} />
    </div>
  );
}
