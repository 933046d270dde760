import { browserClock } from '../shared/clock.ts';
import { getDeviceStorage } from '../shared/device-storage.ts';
import { getTabLocks } from '../shared/outbox.ts';
import { pageSession } from '../sign-in/reauthenticate.ts';
import { moveInApi } from './move-in-api.ts';
import { createMoveIn, type MoveIn } from './move-in-state.ts';
import { browserPortraits } from './portraits.ts';
import { createProgressStore } from './saved-progress.ts';

export const moveIn: MoveIn = createMoveIn({
  api: moveInApi,
  portraits: browserPortraits,
  progress: createProgressStore(getDeviceStorage()),
  clock: browserClock,
  locks: getTabLocks(),
  signIn: pageSession.signIn,
  onOnline(run) {
    window.addEventListener('online', run);
    return () => window.removeEventListener('online', run);
  },
});
