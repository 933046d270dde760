/**
 * Query parameter of the adult view: the page as a user with spicy mode sees it. Without it, public pages are the same
 * for all visitors and do not read the session (docs/decisions/0022).
 */
export const NSFW_VIEW = 'spicy';

/** Query parameter of the creator's view of a character page. Depends on the session in the same way. */
export const OWNER_VIEW = 'own';
