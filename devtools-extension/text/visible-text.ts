/**
 * Characters that are invisible or change how others display: controls, marks and overrides of direction (UAX #9),
 * zero-width characters, fillers and selectors, unusual spaces, line separators, private use, unassigned code points, and
 * lone surrogates.
 */
const INVISIBLE = /[\p{Cc}\p{Default_Ignorable_Code_Point}\p{Zl}\p{Zp}\p{Co}\p{Cn}\p{Cs}\u2800\ufff9-\ufffb]|(?! )\p{Zs}/gu;

/** Emoji sequences, whose joiners and selectors are visible in the result (UTS #51). */
const EMOJI = /\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?)*/gu;

/** Escapes all invisible characters, so that what is shown is the whole text. */
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

/** Escapes invisible characters except line ends and tabs. */
export function visibleLines(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, at) => (at % 2 === 1 ? part.replace('\r', '') : visible(part)))
    .join('');
}

/** Quoted text, with invisible characters escaped as well. */
export function quoted(text: string): string {
  return visible(JSON.stringify(text));
}

/** A name, quoted if it is empty or has invisible characters. */
export function visibleName(name: string): string {
  return name === '' || name !== visible(name) ? quoted(name) : name;
}

/** Escape sequence in JavaScript's notation. */
function escapeOf(character: string): string {
  const code = character.codePointAt(0)!;
  return code > 0xffff ? `\\u{${code.toString(16)}}` : `\\u${code.toString(16).padStart(4, '0')}`;
}
