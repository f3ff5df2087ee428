import type { ComponentChildren } from 'preact';

interface ActionProps {
  /** It is the page's main one. */
  isMain?: boolean;
  disabled?: boolean;
  onClick: () => void;
  children: ComponentChildren;
}

/** A button, which keeps the focus while it can do nothing: one that is `disabled` would lose it. */
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
