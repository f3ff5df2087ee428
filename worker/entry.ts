import { expose } from 'comlink';
import { loadModule } from './thread/code.ts';
import { listenForCompression } from './thread/compress.ts';
import { listenForServices } from './thread/serve.ts';
import { DecodeService } from './thread/service.ts';

expose(new DecodeService());
listenForCompression();
listenForServices(loadModule);
