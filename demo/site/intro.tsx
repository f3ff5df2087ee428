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
  const { title, guide } = pages.current.peek();
  const [file, name] = guide;
  const guides = document.documentElement.dataset['guides'];
  return (
    <div class="intro">
      <h1 ref={heading} tabIndex={-1}>
        {title}
      </h1>
      <p>{children}</p>
      <p class="small muted">
        Unspool decodes large responses into plain objects, rows or columns without freezing the page.{' '}
        {guides !== undefined && (
          <>
            Guide: <a href={guides.replace('*', file)}>{name}</a>.
          </>
        )}
      </p>
    </div>
  );
}
