const WESTERN = /^[\u0000-\u007f\u2013\u2014\u2018\u2019\u201c\u201d]*$/; // oxlint-disable-line no-control-regex -- ASCII has them

/**
 * Whether a text holds nothing but ASCII and the dashes and quotation marks of print, as most English does: then no form of
 * Unicode changes it, nothing in it is unseen, and no letter is one of another script that looks like it.
 */
export const isWestern = (text: string): boolean => WESTERN.test(text);
