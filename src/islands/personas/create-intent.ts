import { atom } from 'nanostores';

/** Counts requests for a new persona from outside the list, such as from the top bar's button. */
export const $createRequests = atom(0);

/** Opens the form for a new persona, even if the list is not hydrated yet. */
export function requestNewPersona(): void {
  $createRequests.set($createRequests.get() + 1);
}
