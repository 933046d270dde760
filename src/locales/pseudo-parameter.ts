/** In a page's address it asks for the test language; apart from that, so that asking brings no more than this. */
export const PSEUDO_PARAMETER = 'pseudo';
