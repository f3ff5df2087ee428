// In each engine: the work that waits until the page is idle, which Node does not tell.
import '../../../unit/main/previous/ahead.test.ts';
