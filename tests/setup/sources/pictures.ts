import { readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { REPOSITORY } from './imports.ts';

const IMAGES = join(REPOSITORY, 'docs/images');
const files = readdirSync(IMAGES, { recursive: true, encoding: 'utf8' });

/** Path for writing the picture `name`: that in `docs/images`, or in the folder UNSPOOL_PICTURES_TO. */
export function pictureFile(name: string): string {
  const other = process.env['UNSPOOL_PICTURES_TO'];
  if (other !== undefined) return join(other, name);
  return join(IMAGES, files.find((file) => basename(file) === name) ?? name);
}
