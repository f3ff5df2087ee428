/** One of the choices of `Segments`. */
export interface Choice<Value extends string> {
  value: Value;
  label: string;
  title?: string | undefined;
  isDisabled?: boolean;
}

interface SegmentsProps<Value extends string> {
  label: string;
  title?: string;
  choices: readonly Choice<Value>[];
  value: Value;
  onChoose: (value: Value) => void;
}

/** Radio buttons that look like a segmented control. */
export function Segments<Value extends string>({ label, title, choices, value: chosen, onChoose }: SegmentsProps<Value>) {
  return (
    <div class="strip" role="radiogroup" aria-label={label} title={title}>
      {choices.map(({ value, label: text, title: about, isDisabled = false }) => (
        <label class={`strip-choice${isDisabled ? ' is-off' : ''}`} title={about} key={value}>
          <input type="radio" name={label} checked={value === chosen} disabled={isDisabled} onChange={() => onChoose(value)} />
          <span>{text}</span>
        </label>
      ))}
    </div>
  );
}
