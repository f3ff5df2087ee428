import type http from 'node:http';

/** Lines of a log, with the numbers from `from` to `to` as ids. */
export const logLines = (from: number, to: number): string =>
  Array.from({ length: to - from }, (_, at) => `${JSON.stringify({ id: from + at, text: 'é'.repeat(at % 9) })}\n`).join('');

/**
 * Answers requests for ranges of a file. `cut` is the number of bytes after which a connection breaks; `ranges` receives the ranges
 * that were asked for.
 */
export function answerRanges(file: () => Buffer, cut = Infinity, ranges: string[] = []): http.RequestListener {
  return ({ headers }, response) => {
    const range = headers.range!;
    ranges.push(range);
    const from = Number(/^bytes=(\d+)-$/.exec(range)![1]);
    const bytes = file();
    if (from >= bytes.length) {
      response.writeHead(416, { 'Content-Range': `bytes */${bytes.length}` }).end();
      return;
    }
    const part = bytes.subarray(from);
    response.writeHead(206, { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}`, 'Content-Length': part.length });
    if (part.length <= cut) response.end(part);
    else response.write(part.subarray(0, cut), () => response.destroy());
  };
}
