/** What `page.js` puts on the page. */
declare const visits: import('./page.js').Visits;
