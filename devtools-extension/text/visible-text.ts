/**
 * Characters that cannot be seen, or that change how others are shown: controls, marks and overrides of direction
 * (UAX #9), zero-width characters, fillers and selectors, spaces other than the one that everybody types, separators of
 * lines, private use, what is unassigned, and halves of surrogate pairs.
 */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u2800\ufff9-\ufffb]|(?! )\p{Zs}/gu;

/** Emoji of several parts, whose joiners and selectors are seen in what they make (UTS #51). */
const EMOJI = /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu;

/** Text with every character that cannot be seen escaped, so that what is shown is all there is. */
export function visible(text: string): string {
  if (text.search(INVISIBLE) < 0) return text;
  let shown = '';
  let at = 0;
  for (const emoji of text.matchAll(EMOJI)) {
    shown += text.slice(at, emoji.index).replace(INVISIBLE, escapeOf) + emoji[0];
    at = emoji.index + emoji[0].length;
  }
  return shown + text.slice(at).replace(INVISIBLE, escapeOf);
}

/** The same of text whose lines and tabs stay. */
export function visibleLines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, at) => (at % 2 === 1 ? part.replace('\r', '') : visible(part)))
    .join('');
}

/** Text in quotes, with everything escaped that cannot be seen, and that JSON escapes. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

/** A name as it is, or in quotes where a part of it cannot be seen, or all. */
export function visibleName(name: string): string {
  return name === '' || name !== visible(name) ? quoted(name) : name;
}

/** In the form of JavaScript. */
function escapeOf(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
