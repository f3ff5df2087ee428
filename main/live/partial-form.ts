/** Form of a value that is given in part. */
export interface PartialForm {
  /**
   * Numbers of JSON: `complete` gives each once it is complete, `growing` also the digits so far (`12` of `12.5`). Default
   * `complete`.
   */
  numbers?: 'complete' | 'growing' | undefined;
  /**
   * Reads the first JSON object or array in a text, such as one in a Markdown code block, and ignores the text before and after
   * it. An array must begin with an object, an array or a string, since other brackets belong to the text. Default false: any
   * other text is an error.
   */
  prose?: boolean | undefined;
}

/** Reads the form's options. Throws for values that a compiler would reject. */
export function checkedForm({ numbers = 'complete', prose = false }: PartialForm): { growingNumbers: boolean; prose: boolean } {
  if (numbers !== 'complete' && numbers !== 'growing') {
    throw new TypeError(`invalid option numbers: ${String(numbers)}; expected one of complete, growing`);
  }
  return { growingNumbers: numbers === 'growing', prose };
}
