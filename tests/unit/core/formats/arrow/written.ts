/** Files of two record batches with the same three rows, as gzip in Base64, by the program that wrote them. */
const WRITTEN = {
  polars:
    'H4sIAAAAAAACA+1VvUoDQRD+cneGUw+JMUUUi5SWMTZCGo8gRggkhIBltBO0ECSinQ9gaeUTpPQRLHwEC5/AykpEAgrnN/sj55IYEtsMzM3szM6387Pcxu1282ATCAC8JUlSgOgZfhewiJDfAKe0i98nP5H70PtfaL+lvCEfkw/JRXKmmMcadxSxSoQIORQUosS8M6ZEGZHFF/AbUi9Xy9XeVqVKlfuBbqvRrcWd3b1me78WNyowNGC8jg0V4ofBA7K0BHjmWs46IT9SXzd4ocpLY3ypenSV5+RXrrcpSzZ/T2Ly3JHDsoqMVJzkviN+hTevchf9iExXMjA1Cp5ykHQ/fSKsKEypWPrmm3qkfxtmH7DE8wPVMZiepSmL0WRKw46RNvbayLKRD06cXUcpm28Yji2N6/qt3RvhH0ef+B/J+ZfO+moKjGlpNv/Z/Pup+ds56Pl7v+bv/sPkPti+dSa4D94f+ZScurwhtfac9cWE9SJV7xll66deuU95Zh2of7ycXc84TTay7g+3W7U+p/V7537P3qRxb9IdRaxe9285Cynj5AcAAA==',
  'arrow-rs':
    'H4sIAAAAAAACA+1WvU7DQAy2c1dRSgQVChAhBkaGLkg8QLsjFXVhYWFmRCDY8hg8CmMeg4EH4BHYymfnLlxObRFNJqgl36/9OffZp9xkNpten9PaMod8oh/qbEApdJssWqK+LLGlEjYWQwN9gd5AM/XJ0e/SHuyHsBaMC+hIsbgn8zPFESTrWmAA77QKz9K8Yy6DO+gbxjn6NMAg9bPqK3b3GjuDVrHJxRa/CpeTE11NsbujccdBPGlug/O/uvOnQDikA/1SiS8YZUhWIjuD+iyesxzWfcfZyK0ngRtHcy8msqHv73TnJyp86GX5o/bCK/B/kofHdrHD+kvpGFwe1fxLLktuUmYjvi+dr4l4NUu45gXce9lakY88yoff9/UxjBw9n2Nu2hfczO+8g9yF8cwv/U2H9bNODT09t6yfjr5/U7+b+v2v9Ut1/Wa072pT8vsh/0B27wD6u+8AyXuZNMn097boLV73S/5+lNF9usL6RN9mXy2/5ciiCQAA',
};

/** A file that another program wrote. */
export async function fileOf(name: keyof typeof WRITTEN): Promise<Uint8Array<ArrayBuffer>> {
  const packed = Uint8Array.from(atob(WRITTEN[name]), (char) => char.charCodeAt(0));
  const unpacked = new Response(new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip')));
  return new Uint8Array(await unpacked.arrayBuffer());
}
