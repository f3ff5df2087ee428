import { Component } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { DeepPartial } from 'unspool';
import { ProblemView } from '../errors/problem-view.tsx';
import { RunBar } from '../ui/run-bar.tsx';
import { formatCount, formatMs } from '../ui/numbers.ts';
import { Segments } from '../ui/segments.tsx';
import { type Chat, type ChatState, DAYS, type Day } from './chat.ts';

/** A plan that builds up while its JSON arrives, and what it costs to have its value. */
export function ChatPanel({ chat }: { chat: Chat }) {
  const state = chat.state.value;
  const isRunning = state.phase === 'running';
  return (
    <section class="panel" aria-labelledby="chat-title">
      <div class="panel-head">
        <h2 id="chat-title">JSON that is being written</h2>
        <p class="small muted" role="status">
          {tell(state)}
        </p>
      </div>
      <Segments label="A travel plan of" value={chat.days} choices={DAYS} disabled={isRunning} />
      <RunBar isRunning={isRunning} start="Write it" stop="Cancel" onStart={() => void chat.start()} onStop={() => chat.stop()}>
        The server plays a language model that writes 1,000 pieces per second. The page decodes each piece, and also parses the text so far again,
        which is what makes frames late. Finished days are not drawn again.
      </RunBar>
      <Costs state={state} />
      {state.phase === 'failed' && <ProblemView error={state.error} />}
      {state.plan && <Plan plan={state.plan} />}
    </section>
  );
}

/** Two bars, of which the longer is as wide as its space. */
function Costs({ state: { ownMs, againMs, pieces, characters } }: { state: ChatState }) {
  const most = Math.max(ownMs, againMs, 1);
  const bars = [
    ['costs-own', 'Unspool: each piece decoded once', ownMs],
    ['costs-again', 'JSON.parse of the text so far, for each piece', againMs],
  ] as const;
  return (
    <div class="costs">
      <p class="small muted">
        Time for a value after each of {formatCount(pieces)} pieces ({formatCount(characters)} characters)
      </p>
      <dl>
        {bars.map(([name, label, ms]) => (
          <div class={name} key={name}>
            <dt>{label}</dt>
            <dd>
              <progress class="costs-bar" aria-label={label} max={most} value={ms} />
              <b>{formatMs(ms)}</b>
            </dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

function Plan({ plan: { title, days = [] } }: { plan: NonNullable<ChatState['plan']> }) {
  const view = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // Follows the newest day.
    if (view.current) view.current.scrollTop = view.current.scrollHeight;
  }, [days.length, days.at(-1)?.stops?.length]);
  return (
    <div class="plan" ref={view} tabIndex={0} role="region" aria-label="Travel plan">
      <h3>{title}</h3>
      {days.map((day, index) => (
        <DayView day={day} key={index} />
      ))}
    </div>
  );
}

/** A day. A finished one is the same object in every value, and is not drawn again. */
class DayView extends Component<{ day: DeepPartial<Day> }> {
  override shouldComponentUpdate({ day }: { day: DeepPartial<Day> }): boolean {
    return day !== this.props.day;
  }

  override render({ day: { day, place, stops = [] } }: { day: DeepPartial<Day> }) {
    return (
      <article class="plan-day">
        <h4>
          Day {day}
          {place && `: ${place}`}
        </h4>
        <ul>
          {stops.map(({ time, name, note }, index) => (
            <li key={index}>
              <span class="plan-time">{time}</span> <b>{name}</b> <span class="muted">{note}</span>
            </li>
          ))}
        </ul>
      </article>
    );
  }
}

function tell({ phase }: ChatState): string {
  if (phase === 'running') return 'The plan can be read while it is written.';
  if (phase === 'done') return 'The plan is complete.';
  if (phase === 'failed') return 'The plan was not finished.';
  return phase === 'stopped' ? 'Cancelled. What was written is kept.' : 'The plan appears here from its first word.';
}
