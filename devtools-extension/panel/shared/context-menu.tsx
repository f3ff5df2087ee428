import { useLayoutEffect, useRef } from 'preact/hooks';
import type { ContextMenu, OpenMenu } from './menu.ts';

/** Renders the open context menu. */
export function ContextMenuView({ menu }: { menu: ContextMenu }) {
  const open = menu.open.value;
  return open ? <Items key={`${open.x} ${open.y}`} menu={menu} open={open} /> : null;
}

function Items({ menu, open }: { menu: ContextMenu; open: OpenMenu }) {
  const element = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const list = element.current!;
    const { width, height } = list.getBoundingClientRect();
    list.style.left = `${Math.max(0, Math.min(open.x, innerWidth - width - 4))}px`;
    list.style.top = `${Math.max(0, Math.min(open.y, innerHeight - height - 4))}px`;
    list.querySelector('button')?.focus();
  }, [open]);
  const move = (step: number): void => {
    const buttons = [...element.current!.querySelectorAll('button')];
    const root = element.current!.getRootNode() as Document | ShadowRoot;
    const at = buttons.indexOf(root.activeElement as HTMLButtonElement);
    buttons[(at + step + buttons.length) % buttons.length]!.focus();
  };
  return (
    <div class="menu-ground" role="presentation" onPointerDown={() => menu.close()} onContextMenu={(event) => event.preventDefault()}>
      <div
        class="menu"
        role="menu"
        aria-label={open.label}
        ref={element}
        onPointerDown={(event) => event.stopPropagation()}
        onKeyDown={(event) => {
          if (event.key === 'ArrowDown') move(1);
          else if (event.key === 'ArrowUp') move(-1);
          else if (event.key === 'Escape' || event.key === 'Tab') menu.close();
          else return;
          event.preventDefault();
          // DevTools would open its drawer on Escape.
          event.stopPropagation();
        }}
      >
        {open.items.map(({ label, isChecked, run }) => (
          <button
            key={label}
            role={isChecked === undefined ? 'menuitem' : 'menuitemcheckbox'}
            aria-checked={isChecked}
            tabIndex={-1}
            onClick={() => {
              menu.close();
              run();
            }}
          >
            {label}
          </button>
        ))}
      </div>
    </div>
  );
}
