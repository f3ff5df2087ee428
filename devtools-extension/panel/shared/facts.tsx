import type { ComponentChildren } from 'preact';
import { visible } from '../../text/visible-text.ts';

/** Section with a list of names and values. */
export function Facts({
  title,
  facts,
  empty,
}: {
  title: string;
  facts: readonly (readonly [name: string, value: string, isBad?: boolean])[];
  empty?: string;
}) {
  if (facts.length === 0 && empty === undefined) return null;
  return (
    <FactSection title={title}>
      {facts.length === 0 ? (
        <p class="muted">{empty}</p>
      ) : (
        <dl class="facts">
          {facts.flatMap(([name, value, isBad], index) => [
            <dt key={`name ${index}`}>{visible(name)}</dt>,
            <dd key={`value ${index}`} class={isBad ? 'is-bad' : undefined}>
              {visible(value)}
            </dd>,
          ])}
        </dl>
      )}
    </FactSection>
  );
}

export function FactSection({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <section>
      <h3>{title}</h3>
      {children}
    </section>
  );
}
