import type { Header } from '../../adapter/adapter.ts';

/** Names of headers and query parameters whose values are secrets. */
const SECRET =
  /^(?:authorization|proxy-authorization|cookie|jwt|sig)$|api[-_]?key|access[-_]?key|auth[-_]?key|token|secret|password|passwd|credential|session|signature|csrf|xsrf/i;
/** Authentication scheme before the credentials (RFC 9110, section 11.4). */
const SCHEME = /^(?:basic|bearer|digest|dpop|negotiate) /i;
const MASK = '••••••';

/** Header line for display: a secret value is masked after its authentication scheme. */
export function maskedHeader({ name, value }: Header): string {
  return `${name}: ${value !== '' && SECRET.test(name) ? (SCHEME.exec(value)?.[0] ?? '') + MASK : value}`;
}

/** URL for display, with the secret values of its query masked. */
export function maskedUrl(url: string): string {
  return url.replaceAll(/[?&][^&#]*/g, (parameter) => {
    const [name] = parameter.slice(1).split('=', 1);
    const value = name!.length + 2;
    return value < parameter.length && SECRET.test(name!) ? parameter.slice(0, value) + MASK : parameter;
  });
}
