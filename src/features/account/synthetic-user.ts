/** User and private character of the synthetic check. Metrics, point balances and guest clean-up ignore both. */
export const SYNTHETIC_USER_ID = '00000000000000housevisitor';
export const SYNTHETIC_CHARACTER_ID = '0000000000housecharacter00';

/** Texts of the synthetic conversation: harmless, and short to keep the model cost low. */
export const SYNTHETIC_TEXTS = {
  name: 'The keeper of the gauge',
  traits: 'A friendly keeper who answers every greeting with one short sentence about the weather.',
  greeting: 'Good day. The gauge is up, and so am I.',
  message: 'Good day! How is the weather? One short sentence is enough.',
} as const;
