import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../../scripts/run.mjs';

/** A block of code in the documentation. */
export interface DocBlock {
  /** Where it is: `docs/reference/limits.md:12`. */
  place: string;
  /** The words after the fence: the language, and `run` where it runs as it is. */
  words: string[];
  code: string;
}

/** Made by scripts; what they show is checked where it comes from. */
const GENERATED = ['api.md', 'BAKEOFF.md'];

/** Documents at the top of the repository. */
export const TOP_DOCUMENTS = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'CODE_OF_CONDUCT.md'];

/** Every block of code in the documents at the top and in docs/. */
export function docBlocks(): DocBlock[] {
  const guides = ['docs', 'docs/guides', 'docs/reference', 'docs/internals'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md') && !GENERATED.includes(name))
      .map((name) => `${folder}/${name}`),
  );
  return [...TOP_DOCUMENTS, ...guides].flatMap((file) => {
    const text = readFileSync(join(ROOT, file), 'utf8');
    return [...text.matchAll(/^```([^\n]*)\n([^]*?)^```$/gm)].map(([, info = '', code = ''], index, all) => {
      const line = text.slice(0, all[index]!.index).split('\n').length;
      return { place: `${file}:${line}`, words: info.split(/\s+/).filter(Boolean), code };
    });
  });
}
