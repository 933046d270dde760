/** Class names of src/styles/controls.css, by purpose. */
export const PRIMARY = 'button button-primary';
export const SECONDARY = 'button';
export const QUIET = 'button button-quiet';

export const ICON = 'icon-button';
export const ICON_PRIMARY = 'icon-button icon-button-primary';
export const ICON_SOLID = 'icon-button icon-button-solid';

export const LINK = 'link';
/** A link that is a whole row or portrait, recognisable as a link by its shape. */
export const ROW_LINK = 'flex items-center gap-3 rounded-md text-text';
export const FIELD = 'field';
