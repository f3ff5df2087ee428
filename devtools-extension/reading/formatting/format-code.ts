import beautifyCss from 'js-beautify/js/src/css/index.js';
import beautifyHtml from 'js-beautify/js/src/html/index.js';
import beautifyJavaScript from 'js-beautify/js/src/javascript/index.js';

const OPTIONS = { indent_size: 2, max_preserve_newlines: 2, end_with_newline: false };

/** Formats a document, a style sheet or a script. Takes some seconds for a megabyte. */
export function formatCode(text: string, language: 'html' | 'css' | 'javascript'): string {
  if (language === 'css') return beautifyCss(text, OPTIONS);
  if (language === 'javascript') return beautifyJavaScript(text, OPTIONS);
  return beautifyHtml(text, { ...OPTIONS, extra_liners: [] }, beautifyJavaScript, beautifyCss);
}
