import { expose } from 'comlink';
import { DecodeService } from './thread/service.ts';

expose(new DecodeService());
