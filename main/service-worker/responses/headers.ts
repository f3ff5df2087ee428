/** Headers that speak of the bytes as they were sent. */
export const OF_THE_BYTES = ['content-length', 'content-encoding', 'content-digest', 'digest', 'content-md5', 'accept-ranges'];
