import type { Signal } from '@preact/signals';
import { useLayoutEffect, useRef } from 'preact/hooks';
import type { EditProblem } from '../../reading/protocol.ts';

/** Line height in pixels, as in the style sheet. */
const LINE = 18;

interface TextEditorProps {
  label: string;
  text: Signal<string>;
  problem: EditProblem | undefined;
  onEdit: () => void;
}

/** Text editor that selects the faulty text. */
export function TextEditor({ label, text, problem, onEdit }: TextEditorProps) {
  const area = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => {
    if (problem?.from === undefined) return;
    const element = area.current!;
    element.focus();
    element.setSelectionRange(problem.from, problem.end ?? problem.from);
    element.scrollTop = Math.max(0, (lineOf(text.peek(), problem.from) - 1) * LINE - element.clientHeight / 2);
  }, [problem]);
  return (
    <textarea
      ref={area}
      class="editor"
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
    />
  );
}

/** Line of an offset, from 1. */
export function lineOf(text: string, at: number): number {
  return text.slice(0, at).split('\n').length;
}
