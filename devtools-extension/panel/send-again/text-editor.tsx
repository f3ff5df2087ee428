import { useSignal } from '@preact/signals';
import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EditProblem } from '../../reading/protocol.ts';

/** Line height and top padding in pixels, as in the style sheet. */
const LINE = 18;
const PADDING = 4;

/** Text editor with line numbers. Selects the faulty text and marks its line. */
export function TextEditor({
  label,
  text,
  problem,
  onEdit,
}: {
  label: string;
  text: Signal<string>;
  problem: EditProblem | undefined;
  onEdit: () => void;
}) {
  const area = useRef<HTMLTextAreaElement>(null);
  const scrolled = useSignal({ top: 0, height: 0 });
  const follow = (): void => {
    const { scrollTop: top, clientHeight: height } = area.current!;
    scrolled.value = { top, height };
  };
  useLayoutEffect(() => {
    const observer = new ResizeObserver(follow);
    observer.observe(area.current!);
    return () => observer.disconnect();
  }, []);
  const wrong = problem?.from === undefined ? -1 : lineOf(text.peek(), problem.from);
  useLayoutEffect(() => {
    if (problem?.from === undefined) return;
    const element = area.current!;
    element.focus();
    element.setSelectionRange(problem.from, problem.end ?? problem.from);
    element.scrollTop = Math.max(0, wrong * LINE - element.clientHeight / 2);
    follow();
  }, [problem]);
  const { top, height } = scrolled.value;
  const first = Math.floor(top / LINE);
  const count = Math.min(text.value.split('\n').length - first, Math.ceil(height / LINE) + 1);
  return (
    <div class="editor">
      <div class="editor-lines" aria-hidden="true">
        {Array.from({ length: Math.max(0, count) }, (_, index) => {
          const line = first + index;
          return (
            <span key={line} class={line === wrong ? 'is-wrong' : undefined} style={{ top: `${line * LINE + PADDING - top}px` }}>
              {line + 1}
            </span>
          );
        })}
      </div>
      <textarea
        ref={area}
        class="editor-text"
        aria-label={label}
        aria-invalid={problem !== undefined}
        {...(problem && { 'aria-describedby': 'draft-problem' })}
        spellcheck={false}
        autocomplete="off"
        wrap="off"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value;
          onEdit();
        }}
        onScroll={follow}
      />
    </div>
  );
}

/** Line of an offset, from 0. */
function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length - 1;
}
