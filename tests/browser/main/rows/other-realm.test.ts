import { readsValuesOf, type WideRealm } from '../../../setup/ways/other-realm-reading.ts';

readsValuesOf('an iframe', async () => {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  return frame.contentWindow as unknown as WideRealm;
});
