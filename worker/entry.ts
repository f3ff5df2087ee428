import { expose } from 'comlink';
import { listenForCompression } from './thread/compress.ts';
import { DecodeService } from './thread/service.ts';

expose(new DecodeService());
listenForCompression();
