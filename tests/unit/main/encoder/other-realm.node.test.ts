import { runInNewContext } from 'node:vm';
import { type Realm, writesValuesOf } from '../../../setup/ways/other-realm.ts';

writesValuesOf('a context of node:vm', async () => runInNewContext('globalThis') as Realm);
