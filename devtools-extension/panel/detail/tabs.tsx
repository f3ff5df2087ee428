import { useSignal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { Panel } from '../panel.ts';
import type { TabName } from '../selection/tab.ts';
import { useSize } from '../shared/use-size.ts';

/** A tab of the detail pane. */
export interface Tab {
  id: TabName;
  label: string;
  /** True for a tab without meaning for the body. */
  isDisabled: boolean;
}

/** Width of the button that opens the menu, in pixels. */
const MENU_WIDTH = 36;

/** Tabs in one line. Those that do not fit are in a menu; the selected one always fits. */
export function Tabs({
  panel,
  tabs,
  selected,
  onChoose,
}: {
  panel: Panel;
  tabs: readonly Tab[];
  selected: TabName;
  onChoose: (id: TabName) => void;
}) {
  const line = useRef<HTMLDivElement>(null);
  const room = useSize(line).value.width;
  const shown = useSignal<readonly TabName[]>(tabs.map(({ id }) => id));
  const labels = tabs.map(({ label }) => label).join('\n');
  useLayoutEffect(() => {
    if (room === 0) return;
    const widths = Array.from(line.current!.querySelectorAll<HTMLElement>('.tab'), ({ offsetWidth }) => offsetWidth);
    const fitting = fittingTabs(
      tabs.map(({ id }, index) => ({ id, width: widths[index]! })),
      selected,
      room,
    );
    if (fitting.join() !== shown.peek().join()) shown.value = fitting;
    // A change of the tabs, their names, the selection or the room.
  }, [labels, selected, room]);
  const usable = tabs.filter(({ id, isDisabled }) => shown.value.includes(id) && !isDisabled);
  const others = tabs.filter(({ id, isDisabled }) => !shown.value.includes(id) && !isDisabled);
  /** Tab that the Tab key moves to. */
  const entry = (usable.find(({ id }) => id === selected) ?? usable[0])?.id;
  const focused = useRef<TabName | undefined>(undefined);
  const choose = (id: TabName): void => {
    focused.current = id;
    onChoose(id);
  };
  const isInLine = shown.value.includes(selected);
  useLayoutEffect(() => {
    // A tab of the menu can have the focus once it was rendered in the line.
    if (focused.current !== selected || !isInLine) return;
    focused.current = undefined;
    line.current!.querySelector<HTMLElement>(`#tab-${selected}`)!.focus();
  });
  return (
    <div class="tab-line" ref={line}>
      <div class="tabs" role="tablist" aria-label="Views">
        {tabs.map(({ id, label, isDisabled }) => (
          <button
            key={id}
            id={`tab-${id}`}
            role="tab"
            class={`tab${shown.value.includes(id) ? '' : ' is-in-menu'}`}
            aria-selected={id === selected}
            aria-controls="view"
            disabled={isDisabled}
            tabIndex={id === entry ? 0 : -1}
            onClick={() => onChoose(id)}
            onKeyDown={({ key }) => {
              const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0;
              if (step === 0) return;
              const at = usable.findIndex((tab) => tab.id === id);
              choose(usable[(at + step + usable.length) % usable.length]!.id);
            }}
          >
            {label}
          </button>
        ))}
      </div>
      {others.length > 0 && (
        <button
          class="tab tab-menu"
          aria-haspopup="menu"
          aria-label="More views"
          title={others.map(({ label }) => label).join(', ')}
          tabIndex={0}
          onClick={(event) =>
            panel.menu.show(
              event,
              'More views',
              others.map(({ id, label }) => ({ label, run: () => choose(id) })),
            )
          }
        >
          »
        </button>
      )}
    </div>
  );
}

/** Tabs that fit in a line, in order. Unless all do, the menu's button is at the end of the line, and the selected tab stays. */
export function fittingTabs(tabs: readonly { id: TabName; width: number }[], selected: TabName, room: number): readonly TabName[] {
  if (tabs.reduce((sum, { width }) => sum + width, 0) <= room) return tabs.map(({ id }) => id);
  let left = room - MENU_WIDTH - (tabs.find(({ id }) => id === selected)?.width ?? 0);
  let isFull = false;
  return tabs
    .filter(({ id, width }) => {
      if (id === selected) return true;
      isFull ||= width > left;
      left -= width;
      return !isFull;
    })
    .map(({ id }) => id);
}
