/**
 * Query parameter that selects the pseudo language. In a file of its own, so that importing it does
 * not import the rest.
 */
export const PSEUDO_PARAMETER = 'pseudo';
