import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

const STEP = 0.02;

interface SplitProps {
  /** Share of the first part, from 0 to 1. Negative: the second part has its preferred size. */
  share: Signal<number>;
  /** Preferred size of the second part in pixels. */
  secondSize?: number;
  /** True to place the parts one above the other. */
  isStacked?: boolean;
  /** True to show the first part alone, in the whole space. */
  isFirstAlone?: boolean;
  label: string;
  class: string;
  first: ComponentChildren;
  second: ComponentChildren;
}

/** Two resizable parts with a divider. */
export function Split({ share, secondSize = 0, isStacked = false, isFirstAlone = false, label, class: name, first, second }: SplitProps) {
  const element = useRef<HTMLDivElement>(null);
  const set = (value: number): void => {
    share.value = Math.min(0.85, Math.max(0.15, value));
  };
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    const box = element.current!.getBoundingClientRect();
    const isColumn = getComputedStyle(element.current!).flexDirection === 'column';
    set(isColumn ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width);
  };
  const isAuto = share.value < 0;
  /** Current share; measured while none is set. */
  const current = (): number => {
    if (share.value >= 0) return share.value;
    const box = element.current?.getBoundingClientRect();
    const extent = box ? (isStacked ? box.height : box.width) : 0;
    return extent > 0 ? 1 - secondSize / extent : 0.5;
  };
  return (
    <div class={`split ${name}${isStacked ? ' is-stacked' : ''}${isFirstAlone ? ' is-first-alone' : ''}`} ref={element}>
      <div class="split-part" style={{ flex: isAuto || isFirstAlone ? '1 1 0' : `0 0 ${share.value * 100}%` }}>
        {first}
      </div>
      <div
        class="split-line"
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-valuenow={Math.round(current() * 100)}
        aria-valuemin={15}
        aria-valuemax={85}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          event.preventDefault();
        }}
        onPointerMove={drag}
        onKeyDown={({ key }) => {
          if (key === 'ArrowLeft' || key === 'ArrowUp') set(current() - STEP);
          else if (key === 'ArrowRight' || key === 'ArrowDown') set(current() + STEP);
        }}
        onDblClick={() => {
          if (secondSize > 0) share.value = -1;
        }}
      />
      <div class="split-part split-rest" style={isAuto ? { flex: `0 0 ${secondSize}px` } : undefined}>
        {second}
      </div>
    </div>
  );
}
