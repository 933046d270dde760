/** Whether one writes with a finger: the focus would bring up a keyboard, and «Enter» is the only way to a new line. */
export const hasCoarsePointer = (): boolean => matchMedia('(pointer: coarse)').matches;
