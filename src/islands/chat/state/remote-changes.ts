import { atom } from 'nanostores';

/** Grows whenever something happened to the open conversation elsewhere: whoever shows more of it looks again. */
export const $remoteChanges = atom(0);

export function notifyRemoteChange(): void {
  $remoteChanges.set($remoteChanges.get() + 1);
}
