/** A worker that fails while it loads. */
throw new Error('broken from the start');
