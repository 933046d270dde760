/** The key code that browsers report for keys handled by an input method. */
const COMPOSITION_KEY_CODE = 229;

/**
 * Whether a key belongs to an input method, for example for Japanese or Chinese, and so is no command. Safari ends the
 * composition before the event of the key that ended it; there only the key code shows it.
 */
export const isComposingKey = ({
  isComposing,
  keyCode,
}: Pick<KeyboardEvent, 'isComposing' | 'keyCode'>): boolean =>
  isComposing || keyCode === COMPOSITION_KEY_CODE;
