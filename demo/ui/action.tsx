import type { ComponentChildren } from 'preact';

interface ActionProps {
  /** Marks the main action of the page. */
  isMain?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

/** A button that keeps the focus while disabled, unlike the attribute `disabled`. */
export function Action({ isMain = false, disabled = false, onClick, children }: ActionProps) {
  return (
    <button
      type="button"
      class={isMain ? 'button button-primary' : 'button'}
      {...(disabled && { 'aria-disabled': true })}
      onClick={disabled ? undefined : onClick}
    >
      {children}
    </button>
  );
}
