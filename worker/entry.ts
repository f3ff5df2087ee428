import { expose } from 'comlink';
import { loadFile, loadModule } from './code.ts';
import { listenForCompression } from './compress.ts';
import { listenForServices } from './load-service.ts';
import { DecodeService } from './decode-service.ts';

expose(new DecodeService(loadFile));
listenForCompression();
listenForServices(loadModule);
