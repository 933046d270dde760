/** Icons of every dialog, kept apart so that a small dialog does not load the whole set. */
export const DIALOG_ICON_PATHS = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
} as const;
