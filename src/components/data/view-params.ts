/**
 * In the address of a page: as somebody with spicy mode on sees it. Without it public pages are the same for everybody,
 * and read no session (docs/decisions/0022).
 */
export const NSFW_VIEW = 'spicy';

/** In the address of a character's page: as its maker sees it. It is the session's in the same way. */
export const OWNER_VIEW = 'own';
