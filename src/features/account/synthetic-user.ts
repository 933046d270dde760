/**
 * Who the synthetic conversation is had by, and with whom: a guest and a private character of the house's own. They are
 * nobody: figures, points that are held, and housekeeping among guests leave them out.
 */
export const SYNTHETIC_USER_ID = '00000000000000housevisitor';
export const SYNTHETIC_CHARACTER_ID = '0000000000housecharacter00';

/** What is said each time: harmless, short, and the same for everybody who pays for it. */
export const SYNTHETIC_TEXTS = {
  name: 'The keeper of the gauge',
  traits: 'A friendly keeper who answers every greeting with one short sentence about the weather.',
  greeting: 'Good day. The gauge is up, and so am I.',
  message: 'Good day! How is the weather? One short sentence is enough.',
} as const;
