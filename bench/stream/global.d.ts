/** What `page.js` puts on the page. */
declare const streams: import('./page.js').Streams;
