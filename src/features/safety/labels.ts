/** The labels of the text classifier. The order must match the weights file. */
export const LABELS = ['suicide', 'self_harm', 'threat', 'encouragement', 'sexual', 'minor'] as const;
export type Label = (typeof LABELS)[number];
