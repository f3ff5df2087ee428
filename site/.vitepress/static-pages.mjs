/** Types of events with which a visitor begins to use a page. */
const USES = ['pointerover', 'touchstart', 'wheel', 'keydown', 'focusin', 'dragenter', 'dragover', 'drop', 'paste', 'click'];

/**
 * Loads the application of a page with the first use of it, and repeats the clicks, keys, drops and pastes that came before it was there.
 * Runs in the page, as text.
 *
 * @param {string} address
 * @param {readonly string[]} modules addresses of the modules that it imports
 * @param {readonly string[]} uses
 */
function startWithUse(address, modules, uses) {
  const ends = new AbortController();
  /** @type {(() => void)[]} */
  const missed = [];
  let isStarted = false;
  // The application scrolls to the top of its first page, where the visitor may no longer be.
  const { scrollTo } = window;
  const start = () => {
    isStarted = true;
    window.scrollTo = () => {};
    for (const href of modules) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    import(address).catch(() => (isStarted = false));
    requestAnimationFrame(watch);
  };
  // The data of a drop or paste can be read during the event alone.
  const copyOf = (/** @type {DataTransfer} */ given) => {
    const copy = new DataTransfer();
    for (const file of given.files) copy.items.add(file);
    const text = given.getData('text');
    if (text !== '') copy.setData('text', text);
    return copy;
  };
  const repeat = (/** @type {EventTarget} */ target, /** @type {Event} */ event) => missed.push(() => target.dispatchEvent(event));
  const use = (/** @type {Event} */ event) => {
    if (!isStarted) start();
    const { target, type } = event;
    // Links lead elsewhere without the application.
    const button = type === 'click' && target.closest('button');
    if (button) missed.push(() => button.click());
    if (type === 'keydown') {
      // The keys of the search, which have another meaning in some browsers.
      if (event.key === '/' || (event.key === 'k' && (event.ctrlKey || event.metaKey))) event.preventDefault();
      repeat(target, new KeyboardEvent(type, event));
    }
    // Without the application, the browser would open a dropped file instead of the page.
    if (type === 'dragover' || type === 'drop') event.preventDefault();
    // A field of an event's own, since not all browsers take a ClipboardEvent's from its constructor.
    const field = { drop: 'dataTransfer', paste: 'clipboardData' }[type];
    if (field) repeat(target, Object.assign(new Event(type, { bubbles: true, cancelable: true }), { [field]: copyOf(event[field]) }));
  };
  const watch = () => {
    if (document.querySelector('#app')?.__vue_app__) {
      ends.abort();
      window.scrollTo = scrollTo;
      for (const again of missed) again();
    } else if (isStarted) requestAnimationFrame(watch);
  };
  for (const type of uses) addEventListener(type, use, { capture: true, signal: ends.signal, passive: type === 'touchstart' || type === 'wheel' });
}

/**
 * Changes a page so that it requests and runs no script until a visitor uses it: it is complete as it is, but for the page that stands for
 * unknown addresses.
 *
 * @param {string} html
 * @param {string} page the path of its source
 */
export function withoutScripts(html, page) {
  // The site uses no icons of VitePress's own, whose style sheet is empty.
  const plain = html
    .replace(/<link rel="preload stylesheet" href="[^"]*vp-icons\.css" as="style">/, '')
    // Its scripts give the switch a title.
    .replaceAll(/class="VPSwitch VPSwitchAppearance"/g, '$& aria-label="Dark theme"');
  if (page === '404.md') return plain;
  /** @type {string[]} */
  const modules = [];
  const withoutPreloads = plain.replaceAll(/\s*<link rel="modulepreload" href="([^"]+)">/g, (_, address) => {
    modules.push(address);
    return '';
  });
  const changed = withoutPreloads.replace(/<script type="module" src="([^"]+)"><\/script>/, (_, address) => {
    return `<script>(${startWithUse})(${[address, modules, USES].map((value) => JSON.stringify(value)).join(', ')})</script>`;
  });
  if (changed === withoutPreloads) throw new Error(`The page ${page} has no script of the form that withoutScripts expects.`);
  return changed;
}
