// Fetches the address that the visitor of the playground typed. This document runs in a sandbox without an origin: it can read
// nothing of the page, gets the address and nothing else, and may connect anywhere, which the page may not.
addEventListener('message', ({ source, data }) => {
  if (source === parent) void answer(data.url);
});

async function answer(url) {
  try {
    const response = await fetch(url, { credentials: 'omit', referrerPolicy: 'no-referrer' });
    const body = await response.arrayBuffer();
    parent.postMessage({ status: response.status, type: response.headers.get('content-type') ?? '', body }, '*', [body]);
  } catch {
    parent.postMessage({ problem: 'The browser could not fetch it.' }, '*');
  }
}

parent.postMessage('ready', '*');
