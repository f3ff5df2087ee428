/** Beautifiers of js-beautify without its command line; the package has no type declarations. */
declare module 'js-beautify/js/src/css/index.js' {
  export default function beautifyCss(text: string, options: object): string;
}
declare module 'js-beautify/js/src/javascript/index.js' {
  export default function beautifyJavaScript(text: string, options: object): string;
}
declare module 'js-beautify/js/src/html/index.js' {
  type Beautifier = (text: string, options: object) => string;
  export default function beautifyHtml(text: string, options: object, javascript: Beautifier, css: Beautifier): string;
}
declare module 'js-beautify/js/src/core/inputscanner.js' {
  interface Scanner {
    readonly __input: string;
    __match(pattern: RegExp, index: number): RegExpExecArray | null;
  }
  export const InputScanner: { readonly prototype: Scanner };
}
declare module 'js-beautify/js/src/core/output.js' {
  interface Output {
    get_indent_string: (this: Output, levels: number, column?: number) => string;
  }
  export const Output: { readonly prototype: Output };
}
