import type { Signal } from '@preact/signals';
import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';

const STEP = 0.02;

interface SplitProps {
  /** The first part's share, from 0 to 1. */
  share: Signal<number>;
  label: string;
  class: string;
  first: ComponentChildren;
  second: ComponentChildren;
}

/** Two parts beside each other, or one above the other where it is narrow, and a line between to move. */
export function Split({ share, label, class: name, first, second }: SplitProps) {
  const element = useRef<HTMLDivElement>(null);
  const set = (value: number): void => {
    share.value = Math.min(0.85, Math.max(0.15, value));
  };
  const drag = (event: PointerEvent): void => {
    if (event.buttons !== 1) return;
    const box = element.current!.getBoundingClientRect();
    const isStacked = getComputedStyle(element.current!).flexDirection === 'column';
    set(isStacked ? (event.clientY - box.top) / box.height : (event.clientX - box.left) / box.width);
  };
  return (
    <div class={`split ${name}`} ref={element}>
      <div class="split-part" style={{ flexBasis: `${share.value * 100}%` }}>
        {first}
      </div>
      <div
        class="split-line"
        role="separator"
        tabIndex={0}
        aria-label={label}
        aria-valuenow={Math.round(share.value * 100)}
        aria-valuemin={15}
        aria-valuemax={85}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          event.preventDefault();
        }}
        onPointerMove={drag}
        onKeyDown={({ key }) => {
          if (key === 'ArrowLeft' || key === 'ArrowUp') set(share.value - STEP);
          else if (key === 'ArrowRight' || key === 'ArrowDown') set(share.value + STEP);
        }}
      />
      <div class="split-part split-rest">{second}</div>
    </div>
  );
}
