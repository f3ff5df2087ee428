/** Types of events with which a visitor begins to use a page. */
const USES = ['pointerover', 'touchstart', 'wheel', 'keydown', 'focusin', 'dragenter', 'click'];

/**
 * Loads the application of a page with the first use of it, and repeats a click and a key that came before it was there. Runs in the
 * page, as text.
 *
 * @param {string} address
 * @param {readonly string[]} uses
 */
function startWithUse(address, uses) {
  const ends = new AbortController();
  /** @type {(() => void)[]} */
  const missed = [];
  let isStarted = false;
  const start = () => {
    isStarted = true;
    import(address).catch(() => (isStarted = false));
    requestAnimationFrame(watch);
  };
  const use = (/** @type {Event} */ event) => {
    if (!isStarted) start();
    const { target, type } = event;
    // Links lead elsewhere without the application.
    const button = type === 'click' && target.closest('button');
    if (button) missed.push(() => button.click());
    if (type === 'keydown') missed.push(() => target.dispatchEvent(new KeyboardEvent(type, event)));
  };
  const watch = () => {
    if (document.querySelector('#app')?.__vue_app__) {
      ends.abort();
      for (const repeat of missed) repeat();
    } else if (isStarted) requestAnimationFrame(watch);
  };
  for (const type of uses) addEventListener(type, use, { capture: true, passive: true, signal: ends.signal });
}

/**
 * Changes the front page so that it runs no script until a visitor uses it: it is complete as it is. Other pages stay as they are.
 *
 * @param {string} html
 * @param {string} page the path of its source
 */
export function withoutScripts(html, page) {
  // The site uses no icons of VitePress's own, whose style sheet is empty.
  const plain = html.replace(/<link rel="preload stylesheet" href="[^"]*vp-icons\.css" as="style">/, '');
  if (page !== 'index.md') return plain;
  const changed = plain.replace(/<script type="module" src="([^"]+)"><\/script>/, (_, address) => {
    return `<script>(${startWithUse})(${JSON.stringify(address)}, ${JSON.stringify(USES)})</script>`;
  });
  if (changed === plain) throw new Error('The front page has no script of the form that withoutScripts expects.');
  return changed;
}
