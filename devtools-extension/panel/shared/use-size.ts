import { type ReadonlySignal, useSignal } from '@preact/signals';
import type { RefObject } from 'preact';
import { useLayoutEffect } from 'preact/hooks';

/** Size of an element's content in pixels. */
export interface Size {
  width: number;
  height: number;
}

/** Size of an element's content, which follows the element; `first` before it is laid out. */
export function useSize(element: RefObject<Element | null>, first: Size = { width: 0, height: 0 }): ReadonlySignal<Size> {
  const size = useSignal(first);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => {
      const { width, height } = entry!.contentRect;
      size.value = { width, height };
    });
    observer.observe(element.current!);
    return () => observer.disconnect();
  }, [element, size]);
  return size;
}
