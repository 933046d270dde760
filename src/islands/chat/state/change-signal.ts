import { atom } from 'nanostores';

/** Counts changes made elsewhere to the open conversation. Views with further data of it subscribe, to load again. */
export const $remoteChanges = atom(0);

export function notifyRemoteChange(): void {
  $remoteChanges.set($remoteChanges.get() + 1);
}
