// In each engine: values that are made from an earlier one, and the option of the decoder.
import '../../../unit/core/previous/alike.test.ts';
import '../../../unit/core/previous/changes.test.ts';
import '../../../unit/core/previous/compare.test.ts';
import '../../../unit/core/previous/reuse.test.ts';
import '../../../unit/core/previous/rows.test.ts';
import '../../../unit/main/previous/previous.test.ts';
