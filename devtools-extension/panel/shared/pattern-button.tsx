interface PatternButtonProps {
  isPressed: boolean;
  isDisabled?: boolean;
  onPress: (isPressed: boolean) => void;
}

/** Toggle for regular expressions. */
export function PatternButton({ isPressed, isDisabled = false, onPress }: PatternButtonProps) {
  return (
    <button
      class="button button-icon code"
      aria-label="Regular expression"
      title="Use a regular expression (ignores case)"
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={() => onPress(!isPressed)}
    >
      .*
    </button>
  );
}
