import { InputScanner } from 'js-beautify/js/src/core/inputscanner.js';
import { Output } from 'js-beautify/js/src/core/output.js';
import beautifyCss from 'js-beautify/js/src/css/index.js';
import beautifyHtml from 'js-beautify/js/src/html/index.js';
import beautifyJavaScript from 'js-beautify/js/src/javascript/index.js';
import { MOST_LEVELS } from './indent.ts';

const OPTIONS = { indent_size: 2, max_preserve_newlines: 2, end_with_newline: false };

/** Characters, in total, at which the library looks for the ends of a style sheet's declarations: about a second. */
const MOST_LOOKED_AT = 2e8;

/** The library's patterns, as they are matched at one position. */
const stickyPatterns = new WeakMap<RegExp, RegExp>();

// Matches a pattern at one position. The library searches the rest of the text and then drops matches that begin later: at
// each character of a style sheet, it looked for the next white space.
InputScanner.prototype.__match = function (pattern, index) {
  let sticky = stickyPatterns.get(pattern);
  if (!sticky) stickyPatterns.set(pattern, (sticky = pattern.sticky ? pattern : new RegExp(pattern.source, `${pattern.flags}y`)));
  sticky.lastIndex = index;
  return sticky.exec(this.__input);
};

// Limits the indentation, as that of JSON and XML: a script of 20 kilobytes could become 400 megabytes of white space.
const indentOf = Output.prototype.get_indent_string;
Output.prototype.get_indent_string = function (levels, column) {
  return indentOf.call(this, Math.min(levels, MOST_LEVELS), column);
};

/** Formats a document, a style sheet or a script. Takes some seconds for a megabyte. */
export function formatCode(text: string, language: 'html' | 'css' | 'javascript'): string {
  if (language === 'css' && isSlow(text)) throw new Error('a declaration of the style sheet is too long');
  try {
    return beautify(text, language);
  } catch (error) {
    // The stack is full: the library reads templates within templates by recursion. In Firefox it is an InternalError.
    if (['RangeError', 'InternalError'].includes((error as Error).name)) throw new Error('the code is nested too deeply', { cause: error });
    throw error;
  }
}

function beautify(text: string, language: 'html' | 'css' | 'javascript'): string {
  if (language === 'css') return beautifyCss(text, OPTIONS);
  if (language === 'javascript') return beautifyJavaScript(text, OPTIONS);
  return beautifyHtml(text, { ...OPTIONS, extra_liners: [] }, beautifyJavaScript, formatCss);
}

/** Formats a style sheet within a document. One that would take too long stays as it is. */
function formatCss(text: string, options: object): string {
  return isSlow(text) ? text : beautifyCss(text, options);
}

/** True if the library would look at too much of a style sheet: at a colon and the signs of variables, up to the end of the declaration or rule. */
function isSlow(text: string): boolean {
  let looked = 0;
  let looking = 0;
  let last = 0;
  for (const { 0: sign, index } of text.matchAll(/[:@$;{}]/g)) {
    looked += looking * (index - last);
    last = index;
    looking = ':@$'.includes(sign) ? looking + 1 : 0;
  }
  return looked + looking * (text.length - last) > MOST_LOOKED_AT;
}
