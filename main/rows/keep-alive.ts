import { LIST_KEYS } from '../../core/block/block.ts';
import { Block } from './block.ts';
import { RowBuilder } from './table.ts';
import { TapeReader } from './tape.ts';

/** Creates one instance of each class that opens a block and builds its values, for `KeepAlive`. */
export function keepAliveTools(): object[] {
  const block = new Block();
  const revive = (): undefined => undefined;
  const builder = new RowBuilder(block, revive, new Map());
  return [Block.shape(block.shapes[0]!, block.list(LIST_KEYS), 0), builder, new TapeReader(block, revive, builder, new Map())];
}
