import { signal } from '@preact/signals';

/** Entry of a context menu. */
export interface MenuItem {
  label: string;
  /** State of an entry that switches something on and off. */
  isChecked?: boolean;
  run: () => void;
}

/** An open context menu. */
export interface OpenMenu {
  label: string;
  x: number;
  y: number;
  items: readonly MenuItem[];
}

/** Model of the context menu. */
export class ContextMenu {
  readonly open = signal<OpenMenu | undefined>(undefined);
  #opener: HTMLElement | undefined;

  /** Opens a menu at the pointer, or below the focused row for a keyboard event. */
  show(event: MouseEvent | KeyboardEvent, label: string, items: readonly MenuItem[]): void {
    event.preventDefault();
    this.#opener = (event.currentTarget as HTMLElement | null)?.closest<HTMLElement>('[tabindex]') ?? undefined;
    const isPointer = 'clientX' in event && event.clientX + event.clientY > 0;
    const active = this.#opener?.querySelector('.is-selected') ?? this.#opener;
    const box = active?.getBoundingClientRect();
    this.open.value = { label, items, x: isPointer ? event.clientX : (box?.left ?? 0) + 20, y: isPointer ? event.clientY : (box?.bottom ?? 0) };
  }

  close(): void {
    this.open.value = undefined;
    this.#opener?.focus();
  }
}
