/** Maximum indentation; deeper lines would be mostly white space. */
export const MAX_LEVELS = 60;
const STEP = '  ';

const known: string[] = [];

/** Indentation of a line. */
export function indentOf(depth: number): string {
  const levels = Math.min(depth, MAX_LEVELS);
  return (known[levels] ??= STEP.repeat(levels));
}
