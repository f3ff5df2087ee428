import { fromAnyBase64 } from '../../../adapter/bytes.ts';
import { visible } from '../../../text/visible-text.ts';
import { type Interpretation, momentsOf } from './interpretation.ts';

const UUID = /^[\da-f]{8}-[\da-f]{4}-([\da-f])[\da-f]{3}-([\da-f])[\da-f]{3}-[\da-f]{12}$/i;
const DATE = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;

/** Interpretations of text: a date, a UUID, a token. */
export function interpretText(text: string): Interpretation[] {
  const points = Array.from(text).length;
  const bytes = new TextEncoder().encode(text).length;
  const found: Interpretation[] = [{ name: 'Length', value: `${points} characters, ${text.length} UTF-16 units, ${bytes} bytes of UTF-8` }];
  if (/^[+-]?\d+(?:\.\d+)?$/.test(text)) found.push(...momentsOf(Number(text)));
  if (DATE.test(text) && !Number.isNaN(Date.parse(text))) found.push({ name: 'Time', value: new Date(text).toISOString() });
  const [, version, variant] = UUID.exec(text) ?? [];
  if (version) found.push({ name: 'UUID', value: /[89ab]/i.test(variant!) ? `version ${Number.parseInt(version, 16)}` : 'non-standard' });
  found.push(...tokenOf(text));
  return found;
}

/** Decodes a JSON Web Token (RFC 7519, section 3). The signature is not verified. */
function tokenOf(text: string): Interpretation[] {
  const [, head, claims] = /^(ey[\w-]+)\.(ey[\w-]+)\.[\w-]*$/.exec(text) ?? [];
  if (!head || !claims) return [];
  const header = partOf(head);
  const payload = partOf(claims);
  if (!header || !payload) return [];
  const times = (['iat', 'nbf', 'exp'] as const).filter((name) => typeof payload[name] === 'number');
  return [
    { name: 'JWT header', value: visible(JSON.stringify(header)) },
    { name: 'JWT claims', value: visible(JSON.stringify(payload)) },
    ...times.map((name) => ({ name: `JWT ${name}`, value: new Date((payload[name] as number) * 1000).toISOString() })),
  ];
}

function partOf(base64url: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(new TextDecoder().decode(fromAnyBase64(base64url)));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
