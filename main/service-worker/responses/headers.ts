/** Headers that describe the original bytes of a body. */
export const OF_THE_BYTES = ['content-length', 'content-encoding', 'content-digest', 'digest', 'content-md5', 'accept-ranges'];
