/** Whether the user types on a touch screen: focus would open the keyboard, and Enter is the only way to a new line. */
export const hasCoarsePointer = (): boolean => matchMedia('(pointer: coarse)').matches;
