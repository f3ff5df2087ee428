/** What `harness.js` puts on the page. */
declare const bench: import('./harness.js').Bench;
