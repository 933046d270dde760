/** Icons of the bar below a reply, kept apart so that pages without messages do not load them. */
export const MESSAGE_ICON_PATHS = {
  regenerate: 'M19.5 12a7.5 7.5 0 1 1-2.2-5.3L19.5 9M19.5 4.5V9H15',
  continue: 'M4.5 6.5h15M4.5 12H19M15.5 8.5 19 12l-3.5 3.5M4.5 17.5h8',
  up: 'M7.5 10.5v9h-3v-9zM7.5 10.5 11 4c1.6 0 2.4 1 2.2 2.4l-.5 3.1h5a2 2 0 0 1 2 2.4l-1.2 6a2 2 0 0 1-2 1.6h-9',
  down: 'M7.5 13.5v-9h-3v9zM7.5 13.5 11 20c1.6 0 2.4-1 2.2-2.4l-.5-3.1h5a2 2 0 0 0 2-2.4l-1.2-6a2 2 0 0 0-2-1.6h-9',
} as const;
