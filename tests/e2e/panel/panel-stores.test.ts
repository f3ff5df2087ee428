import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { extensionProblems } from '../../../scripts/checks/check-extension.mjs';
import { filesOf, zipped } from '../../../scripts/release/zip-extension.mjs';
import { REPOSITORY } from '../../setup/sources/imports.ts';

const textOf = (path: string): string => readFileSync(join(REPOSITORY, path), 'utf8');

test('the built extension complies with the rules of the stores', () => {
  expect(extensionProblems()).toEqual([]);
});

test('the zip file is reproducible', () => {
  const files = filesOf(join(REPOSITORY, 'dist-extension'));
  expect(Buffer.from(zipped(files)).equals(Buffer.from(zipped(Object.fromEntries(Object.entries(files)))))).toBe(true);
});

test('the texts for the stores match the manifest', () => {
  const { name, description } = JSON.parse(textOf('devtools-extension/public/manifest.json')) as { name: string; description: string };
  const guide = textOf('docs/internals/extension-stores.md');
  expect(guide).toContain(`**Name**: ${name}`);
  expect(guide).toContain(`**Short description**: ${description}`);
});
