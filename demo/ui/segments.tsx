import type { Signal } from '@preact/signals';
import { useId } from 'preact/hooks';

interface SegmentsProps<Value extends string | number> {
  label: string;
  value: Signal<Value>;
  choices: readonly { value: Value; label: string; note?: string }[];
  disabled?: boolean;
  /** Smaller, with a label for screen readers only. */
  compact?: boolean;
}

/** A single choice: radio buttons in a strip. */
export function Segments<Value extends string | number>({ label, value, choices, disabled, compact }: SegmentsProps<Value>) {
  const name = useId();
  const note = choices.find((choice) => choice.value === value.value)?.note;
  return (
    <fieldset class={compact ? 'segments segments-compact' : 'segments'} disabled={disabled ?? false}>
      <legend class={compact ? 'visually-hidden' : ''}>{label}</legend>
      <div class="segments-strip">
        {choices.map((choice) => (
          <label class="segment" key={choice.value}>
            <input
              type="radio"
              name={name}
              value={String(choice.value)}
              checked={choice.value === value.value}
              onChange={() => {
                value.value = choice.value;
              }}
            />
            <span>{choice.label}</span>
          </label>
        ))}
      </div>
      {note && <p class="segments-note">{note}</p>}
    </fieldset>
  );
}
