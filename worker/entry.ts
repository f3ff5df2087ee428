import { expose } from 'comlink';
import { DecodeService } from './service.ts';

expose(new DecodeService());
