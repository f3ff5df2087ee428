/// <reference types="vite/client" />

/** What the panel's page listens to: DevTools tells its own search to this page alone. */
const SEARCH = 'unspool-search';

chrome.devtools.panels.create('Unspool', 'icons/icon-32.png', 'panel.html', (panel) => {
  let page: Window | undefined;
  panel.onShown.addListener((shown) => {
    page = shown;
  });
  // Firefox has no search for panels.
  panel.onSearch?.addListener((action, text = '') => {
    page?.dispatchEvent(new CustomEvent(SEARCH, { detail: { action, text } }));
  });
});

export {};
