import { signal } from '@preact/signals';

/** Something that can be done with what a menu was opened on. */
export interface MenuItem {
  label: string;
  run: () => void;
}

/** A menu that is open. */
export interface OpenMenu {
  label: string;
  x: number;
  y: number;
  items: readonly MenuItem[];
}

/** The panel's context menu; undefined while it is closed. */
export class ContextMenu {
  readonly open = signal<OpenMenu | undefined>(undefined);
  #opener: HTMLElement | undefined;

  /** Opens a menu where an event took place: at the pointer, or below the row that the keyboard is on. */
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
