interface PatternButtonProps {
  isPressed: boolean;
  isDisabled?: boolean;
  onPress: (isPressed: boolean) => void;
}

/** Whether what is searched for is a regular expression. */
export function PatternButton({ isPressed, isDisabled = false, onPress }: PatternButtonProps) {
  return (
    <button
      class="button button-icon code"
      aria-label="Regular expression"
      title="Search for a regular expression, capitals and small letters alike"
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={() => onPress(!isPressed)}
    >
      .*
    </button>
  );
}
