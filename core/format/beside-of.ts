/** Resolves a path against the folder of the file that names it. */
export function besideOf(path: string, named: string): string {
  const parts = path.split('/').slice(0, -1);
  for (const part of named.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
