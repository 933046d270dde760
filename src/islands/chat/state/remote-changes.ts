import { atom } from 'nanostores';

/** Grows whenever something happened to the open conversation elsewhere: whoever shows more of it looks again. */
export const $heardElsewhere = atom(0);

export function heardElsewhere(): void {
  $heardElsewhere.set($heardElsewhere.get() + 1);
}
