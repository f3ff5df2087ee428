// The same in engines whose TextDecoder refuses shared and resizable memory.
import '../../../unit/main/call/input/chunk-kinds.test.ts';
