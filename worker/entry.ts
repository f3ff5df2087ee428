import { expose } from 'comlink';
import { loadModule } from './code.ts';
import { listenForCompression } from './compress.ts';
import { listenForServices } from './serve.ts';
import { DecodeService } from './service.ts';

expose(new DecodeService());
listenForCompression();
listenForServices(loadModule);
