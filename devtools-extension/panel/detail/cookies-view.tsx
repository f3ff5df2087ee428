import type { Cookie, Exchange } from '../../adapter/adapter.ts';
import { cookiesOf } from './cookies.ts';
import { visible } from '../../text/visible-text.ts';
import { FactSection } from '../shared/facts.tsx';

const ATTRIBUTES = ['Domain', 'Path', 'Expires', 'Max-Age', 'HttpOnly', 'Secure', 'SameSite'];

/** The cookies that were sent, and those that were set. */
export function CookiesView({ exchange }: { exchange: Exchange }) {
  const { sent, set } = cookiesOf(exchange);
  return (
    <div class="facts-view" tabIndex={0} role="region" aria-label="Cookies">
      <FactSection title="Request Cookies">
        <CookieTable cookies={sent} />
      </FactSection>
      <FactSection title="Response Cookies">
        <CookieTable cookies={set} />
      </FactSection>
    </div>
  );
}

function CookieTable({ cookies }: { cookies: readonly Cookie[] }) {
  if (cookies.length === 0) return <p class="muted">There are none.</p>;
  const shown = ATTRIBUTES.filter((attribute) => cookies.some(({ attributes }) => valueOf(attributes, attribute) !== ''));
  return (
    <table class="sizes cookies">
      <thead>
        <tr>
          {['Name', 'Value', ...shown].map((name) => (
            <th scope="col" key={name}>
              {name}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {cookies.map(({ name, value, attributes }, index) => (
          <tr key={index}>
            <th scope="row">{visible(name)}</th>
            <td class="code cookie-value">{visible(value)}</td>
            {shown.map((attribute) => (
              <td key={attribute}>{visible(valueOf(attributes, attribute))}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Names of attributes are the same in either case. */
function valueOf(attributes: Readonly<Record<string, string>>, name: string): string {
  return Object.entries(attributes).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1] ?? '';
}
