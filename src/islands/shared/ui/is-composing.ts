/** What browsers give as the code of a key that an input method took for itself. */
const COMPOSITION_KEY_CODE = 229;

/**
 * Whether a key belongs to a composition, as of Japanese or Chinese: it chooses and ends what is being composed, and
 * means nothing else. Safari ends the composition before it tells of the key that ended it; there only the code tells.
 */
export const isComposingKey = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === COMPOSITION_KEY_CODE;
