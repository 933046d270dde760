/** The controls of src/styles/controls.css by what they are for, as islands name them. */
export const PRIMARY = 'button button-primary';
export const SECONDARY = 'button';
export const QUIET = 'button button-quiet';

export const ICON = 'icon-button';
export const ICON_PRIMARY = 'icon-button icon-button-primary';
export const ICON_SOLID = 'icon-button icon-button-solid';

export const LINK = 'link';
/** A link that is a whole row or a portrait: its shape says that it leads somewhere. */
export const ROW_LINK = 'flex items-center gap-3 rounded-md text-text';
export const FIELD = 'field';
