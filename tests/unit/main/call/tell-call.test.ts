import { describe, expect, it } from 'vitest';
import { addCaller } from '../../../../main/call/tell-call.ts';

const told = (error: Error): string => {
  addCaller(error, new Error());
  return error.message;
};

describe('the error of an import() that cannot be', () => {
  it.each([
    ['Chromium', new TypeError('import() is disallowed on ServiceWorkerGlobalScope by the HTML specification. See https://github.com/w3c/…')],
    ['Firefox', new Error('Dynamic module import is disabled or not supported in this context')],
    ['WebKit', new TypeError('Dynamic-import is not available in Worklets or ServiceWorkers')],
  ])('names the entries to use in a service worker of %s', (_, error) => {
    expect(told(error)).toBe('service workers refuse import(): use unspool/service-worker or unspool/sync');
  });

  it.each([
    new TypeError('Failed to fetch dynamically imported module: https://example.com/import().js'),
    new TypeError('error loading dynamically imported module: https://example.com/formats/cbor.js'),
    new TypeError('Importing a module script failed.'),
    new TypeError('imports are not allowed'),
  ])('stays that of the browser on a page: %s', (error) => {
    const { message } = error;
    expect(told(error)).toBe(message);
  });
});
