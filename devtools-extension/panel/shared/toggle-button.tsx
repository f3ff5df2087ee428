interface ToggleButtonProps {
  label: string;
  /** Name for screen readers, if it is not the label. */
  name?: string;
  title: string;
  isOn: boolean;
  isDisabled?: boolean;
  class?: string;
  onToggle: (isOn: boolean) => void;
}

/** Button that switches something on and off. */
export function ToggleButton({ label, name, title, isOn, isDisabled, class: look = '', onToggle }: ToggleButtonProps) {
  return (
    <button class={`button ${look}`} aria-label={name} title={title} aria-pressed={isOn} disabled={isDisabled} onClick={() => onToggle(!isOn)}>
      {label}
    </button>
  );
}

/** Button that switches regular expressions on and off. */
export function PatternButton(props: Pick<ToggleButtonProps, 'isOn' | 'isDisabled' | 'onToggle'>) {
  return <ToggleButton label=".*" name="Regular expression" title="Use a regular expression (ignores case)" class="button-icon code" {...props} />;
}
