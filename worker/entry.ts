import { loadModule } from './code.ts';
import { listenForCompression } from './compress.ts';
import { listenForServices } from './load-service.ts';
import { DecodeService } from './decode-service.ts';
import { serveCalls } from './serve-calls.ts';

serveCalls(new DecodeService());
listenForCompression();
listenForServices(loadModule);
