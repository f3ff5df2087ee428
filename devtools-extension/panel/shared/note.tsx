import type { ComponentChildren } from 'preact';

/** Placeholder for a view without content. */
export function Note({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {typeof children === 'string' ? <p>{children}</p> : children}
    </div>
  );
}
