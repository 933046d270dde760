/** Looks that several islands share: 44 px targets, a visible focus, meanings only. */
const FOCUS = 'focus-visible:outline-2 focus-visible:outline-offset-2 focus-visible:outline-accent';
const BUTTON = `inline-flex min-h-11 items-center justify-center gap-2 rounded-md px-4 py-2 text-base font-medium ${FOCUS} disabled:cursor-not-allowed disabled:opacity-55`;

export const PRIMARY = `${BUTTON} bg-accent text-accent-text enabled:hover:brightness-110`;
export const SECONDARY = `${BUTTON} border border-line text-text hover:bg-surface-2`;
export const QUIET = `${BUTTON} text-text-quiet hover:text-text`;

const ICON_BUTTON = `inline-flex size-11 shrink-0 items-center justify-center rounded-md ${FOCUS} disabled:cursor-not-allowed disabled:opacity-50`;
export const ICON = `${ICON_BUTTON} text-text-quiet enabled:hover:bg-surface-2 enabled:hover:text-text`;
export const ICON_PRIMARY = `${ICON_BUTTON} bg-accent text-accent-text enabled:hover:brightness-110`;
export const ICON_SOLID = `${ICON_BUTTON} bg-surface-2 text-text enabled:hover:brightness-110`;

export const LINK = `rounded-sm text-text underline decoration-line underline-offset-4 hover:decoration-accent ${FOCUS}`;
/** A link that is a whole row or a portrait: its shape says that it leads somewhere. */
export const ROW_LINK = `flex items-center gap-3 rounded-md text-text ${FOCUS}`;
export const FIELD = `min-h-11 rounded-md border border-line bg-bg text-base text-text placeholder:text-text-quiet ${FOCUS}`;
