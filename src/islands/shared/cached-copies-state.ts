import { atom } from 'nanostores';

/** Whether the page shows data from a copy on this device, because the network or the server was down. */
export const $isOfflineCopy = atom(false);
