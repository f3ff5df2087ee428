import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Width of an element's content in pixels, which follows the element; `first` before it is laid out. */
export function useWidth(element: RefObject<Element | null>, first = 0): ReadonlySignal<number> {
  const width = useSignal(first);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      width.value = entry!.contentRect.width;
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element, width]);
  return width;
}
