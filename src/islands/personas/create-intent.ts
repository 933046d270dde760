import { atom } from 'nanostores';

/** Counts how often a new persona was asked for from outside the list, such as by the bar's button. */
export const $createRequests = atom(0);

/** Opens the form for a new persona, also when the list is not awake yet. */
export function requestNewPersona(): void {
  $createRequests.set($createRequests.get() + 1);
}
