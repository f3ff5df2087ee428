import type { Choice } from './segments.tsx';

interface SelectProps<Value extends string> {
  /** Name for screen readers; undefined inside a label. */
  label?: string;
  choices: readonly Pick<Choice<Value>, 'value' | 'label'>[];
  value: Value;
  class?: string;
  onChoose: (value: Value) => void;
}

/** Choice from a list that opens. */
export function Select<Value extends string>({ label, choices, value: chosen, class: look = '', onChoose }: SelectProps<Value>) {
  return (
    <select class={`field ${look}`} aria-label={label} value={chosen} onChange={(event) => onChoose(event.currentTarget.value as Value)}>
      {choices.map(({ value, label: text }) => (
        <option value={value} key={value}>
          {text}
        </option>
      ))}
    </select>
  );
}

/** Choices that are named as they are. */
export function choicesOf<Value extends string>(values: readonly Value[]): Choice<Value>[] {
  return values.map((value) => ({ value, label: value }));
}
