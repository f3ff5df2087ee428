/// <reference types="vite/client" />

/** Event that passes DevTools' search on to the panel's page, since only this page receives it. */
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
