/** Levels that are indented: of what is nested deeper, the lines would be mostly white space. */
export const MOST_LEVELS = 60;
const STEP = '  ';

const known: string[] = [];

/** The white space before a line that is so deep. */
export function indentOf(depth: number): string {
  const levels = Math.min(depth, MOST_LEVELS);
  return (known[levels] ??= STEP.repeat(levels));
}
