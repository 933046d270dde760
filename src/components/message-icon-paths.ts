/** Icons of the bar below a reply, kept apart so that pages without messages do not load them. */
export const MESSAGE_ICON_PATHS = {
  regenerate: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15',
  goOn: 'M4.5 6.5h15M4.5 12H19M15.5 8.5 19 12l-3.5 3.5M4.5 17.5h8',
} as const;
