import { expose } from 'comlink';
import { loadModule } from './code.ts';
import { listenForCompression } from './compress.ts';
import { listenForServices } from './load-service.ts';
import { DecodeService } from './decode-service.ts';

expose(new DecodeService());
listenForCompression();
listenForServices(loadModule);
