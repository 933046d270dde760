/** What every dialog draws: apart from the other icons, so that a small dialog need not fetch them all. */
export const DIALOG_ICON_PATHS = {
  back: 'M15 5l-7 7 7 7',
  close: 'M6 6l12 12M18 6L6 18',
} as const;
