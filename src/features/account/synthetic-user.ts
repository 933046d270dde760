/**
 * Who the synthetic conversation is had by, and with whom: a guest and a private character of the house's own. They are
 * nobody: figures, points that are held, and housekeeping among guests leave them out.
 */
export const HOUSE_VISITOR = '00000000000000housevisitor';
export const HOUSE_CHARACTER = '0000000000housecharacter00';

/** What is said each time: harmless, short, and the same for everybody who pays for it. */
export const HOUSE_LINES = {
  name: 'The keeper of the gauge',
  traits: 'A friendly keeper who answers every greeting with one short sentence about the weather.',
  greeting: 'Good day. The gauge is up, and so am I.',
  said: 'Good day! How is the weather? One short sentence is enough.',
} as const;
