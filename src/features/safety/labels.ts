/** What the text classifier looks for; the order is the order in its weights. */
export const LABELS = ['suicide', 'self_harm', 'threat', 'encouragement', 'sexual', 'minor'] as const;
export type Label = (typeof LABELS)[number];
