import beautifyCss from 'js-beautify/js/src/css/index.js';
import beautifyHtml from 'js-beautify/js/src/html/index.js';
import beautifyJavaScript from 'js-beautify/js/src/javascript/index.js';

const OPTIONS = { indent_size: 2, max_preserve_newlines: 2, end_with_newline: false };

/** The library looks for the next white space at each character of a style sheet. These are characters that it may look at, twice. */
const MOST_LOOKED_AT = 4e9;

/** Formats a document, a style sheet or a script. Takes some seconds for a megabyte. */
export function formatCode(text: string, language: 'html' | 'css' | 'javascript'): string {
  if (language === 'css') {
    if (isSlow(text)) throw new Error('the style sheet has too little white space');
    return beautifyCss(text, OPTIONS);
  }
  if (language === 'javascript') return beautifyJavaScript(text, OPTIONS);
  return beautifyHtml(text, { ...OPTIONS, extra_liners: [] }, beautifyJavaScript, formatCss);
}

/** Formats a style sheet within a document. One that would take too long stays as it is. */
function formatCss(text: string, options: object): string {
  return isSlow(text) ? text : beautifyCss(text, options);
}

/** True if the library would look at too much of a style sheet. */
function isSlow(text: string): boolean {
  let squares = 0;
  let last = 0;
  for (const { index } of text.matchAll(/\s/g)) {
    squares += (index - last) ** 2;
    last = index;
  }
  return squares + (text.length - last) ** 2 > MOST_LOOKED_AT;
}
