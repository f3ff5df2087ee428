// The same in engines whose TextDecoder refuses shared and resizable memory.
import '../../../unit/main/input/chunk-kinds.test.ts';
