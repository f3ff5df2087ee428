import { createDevtoolsAdapter } from '../adapter/devtools.ts';
import { mountPanel } from './mount.tsx';

mountPanel(document.querySelector('#panel')!, createDevtoolsAdapter());
