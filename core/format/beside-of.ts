/** The path of a file that another names by a path, from the folder of that file. */
export function besideOf(path: string, named: string): string {
  const parts = path.split('/').slice(0, -1);
  for (const part of named.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
