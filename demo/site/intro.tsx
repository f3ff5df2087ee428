import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { Pages } from './pages.ts';

interface IntroProps {
  pages: Pages;
  children: ComponentChildren;
}

/** Heading and introduction of a page. The heading receives the focus after navigation. */
export function Intro({ pages, children }: IntroProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (pages.hasMoved()) heading.current?.focus({ preventScroll: true });
  }, [pages]);
  return (
    <div class="intro">
      <h1 ref={heading} tabIndex={-1}>
        {pages.current.peek().title}
      </h1>
      <p>{children}</p>
    </div>
  );
}
