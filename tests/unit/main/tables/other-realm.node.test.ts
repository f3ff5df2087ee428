import { runInNewContext } from 'node:vm';
import { readsValuesOf, type WideRealm } from '../../../setup/ways/other-realm-reading.ts';

readsValuesOf('a context of node:vm', async () => runInNewContext('globalThis') as WideRealm);
