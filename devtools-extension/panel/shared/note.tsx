import type { ComponentChildren } from 'preact';

/** What stands where there is nothing to show. */
export function Note({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <div class="empty">
      <h2>{title}</h2>
      {typeof children === 'string' ? <p>{children}</p> : children}
    </div>
  );
}
