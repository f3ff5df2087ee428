import type { ComponentChildren } from 'preact';
import { Action } from './action.tsx';

interface RunBarProps {
  isRunning: boolean;
  /** Labels of the button, before and while something runs. */
  start: string;
  stop: string;
  onStart: () => void;
  onStop: () => void;
  /** A note next to the button. */
  children: ComponentChildren;
}

/** A button that starts and stops what a page shows. */
export function RunBar({ isRunning, start, stop, onStart, onStop, children }: RunBarProps) {
  return (
    <div class="run-bar">
      {isRunning ? (
        <Action onClick={onStop}>{stop}</Action>
      ) : (
        <Action isMain onClick={onStart}>
          {start}
        </Action>
      )}
      <p class="small muted">{children}</p>
    </div>
  );
}
