import { InputScanner } from 'js-beautify/js/src/core/inputscanner.js';
import { Output } from 'js-beautify/js/src/core/output.js';
import beautifyCss from 'js-beautify/js/src/css/index.js';
import beautifyHtml from 'js-beautify/js/src/html/index.js';
import beautifyJavaScript from 'js-beautify/js/src/javascript/index.js';
import { MAX_LEVELS } from './indent.ts';

const OPTIONS = { indent_size: 2, max_preserve_newlines: 2, end_with_newline: false };

/** Maximum number of characters that the library examines in total for the ends of a style sheet's declarations: about a second. */
const MAX_EXAMINED = 2e8;

/** Sticky versions of the library's patterns. */
const stickyPatterns = new WeakMap<RegExp, RegExp>();

// Matches a pattern at one position only. The original searches the rest of the text and then drops later matches, which
// in a style sheet means a search for white space at each character.
InputScanner.prototype.__match = function (pattern, index) {
  let sticky = stickyPatterns.get(pattern);
  if (!sticky) stickyPatterns.set(pattern, (sticky = pattern.sticky ? pattern : new RegExp(pattern.source, `${pattern.flags}y`)));
  sticky.lastIndex = index;
  return sticky.exec(this.__input);
};

// Limits the indentation as for JSON and XML: otherwise deeply nested code would become mostly white space.
const indentOf = Output.prototype.get_indent_string;
Output.prototype.get_indent_string = function (levels, column) {
  return indentOf.call(this, Math.min(levels, MAX_LEVELS), column);
};

/** Formats HTML, CSS or JavaScript. Takes some seconds per megabyte. */
export function formatCode(text: string, language: 'html' | 'css' | 'javascript'): string {
  if (language === 'css' && isSlow(text)) throw new Error('a declaration of the style sheet is too long');
  try {
    return beautify(text, language);
  } catch (error) {
    // Stack overflow, an InternalError in Firefox: the library reads nested templates recursively.
    if (['RangeError', 'InternalError'].includes((error as Error).name)) throw new Error('the code is nested too deeply', { cause: error });
    throw error;
  }
}

function beautify(text: string, language: 'html' | 'css' | 'javascript'): string {
  if (language === 'css') return beautifyCss(text, OPTIONS);
  if (language === 'javascript') return beautifyJavaScript(text, OPTIONS);
  return beautifyHtml(text, { ...OPTIONS, extra_liners: [] }, beautifyJavaScript, formatCss);
}

/** Formats a style sheet in a document, unless it would take too long. */
function formatCss(text: string, options: object): string {
  return isSlow(text) ? text : beautifyCss(text, options);
}

/** True if the library would examine too many characters: from each colon and variable sign to the end of the declaration or rule. */
function isSlow(text: string): boolean {
  let examined = 0;
  let searches = 0;
  let last = 0;
  for (const { 0: sign, index } of text.matchAll(/[:@$;{}]/g)) {
    examined += searches * (index - last);
    last = index;
    searches = ':@$'.includes(sign) ? searches + 1 : 0;
  }
  return examined + searches * (text.length - last) > MAX_EXAMINED;
}
