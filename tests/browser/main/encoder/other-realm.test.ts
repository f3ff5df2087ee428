import { type Realm, writesValuesOf } from '../../../setup/ways/other-realm.ts';

writesValuesOf('an iframe', async () => {
  const frame = document.createElement('iframe');
  document.body.append(frame);
  return frame.contentWindow as unknown as Realm;
});
