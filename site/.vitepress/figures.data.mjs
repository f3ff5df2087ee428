import { readdirSync, readFileSync } from 'node:fs';

const README = new URL('../../README.md', import.meta.url);
const FORMATS = new URL('../../core/formats/', import.meta.url);

/** Rows of the README's table that the front page shows, by the beginning of their names. */
const SHOWN = ['a million records: all can be read after', 'a million records: longest pause of the page', '18 documents of 5 MB, MessagePack: all objects'];

/** Figures of the front page: Unspool's next to those of `JSON.parse`, as the README has them, and the number of formats, each of which has a folder. */
export default {
  watch: ['../../README.md'],
  load() {
    const rows = readFileSync(README, 'utf8')
      .split('\n')
      .filter((line) => line.startsWith('| '))
      .map((line) => line.split('|').slice(1, -1).map((cell) => cell.replaceAll('*', '').trim()));
    const formats = readdirSync(FORMATS, { withFileTypes: true }).filter((entry) => entry.isDirectory()).length;
    const figures = SHOWN.map((name) => {
      const row = rows.find(([first]) => first === name);
      if (!row) throw new Error(`README.md has no row "${name}": choose another for the front page`);
      const [, own, other] = row;
      const isRatio = own.endsWith('×');
      // A ratio has the time that is 1 in parentheses.
      const amount = (text) => Number.parseFloat(text.replaceAll(',', '')) * (/[^m]s$/.test(text) ? 1000 : 1);
      return { name, own, other: /\((.+)\)/.exec(other)?.[1] ?? other, isRatio, share: isRatio ? amount(own) : amount(own) / amount(other) };
    });
    return { figures, formats };
  },
};
