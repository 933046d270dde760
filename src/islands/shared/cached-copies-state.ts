import { atom } from 'nanostores';

/** Whether what one reads comes from this device, because the page was opened while the network or the server was away. */
export const $isOfflineCopy = atom(false);
