/** Milliseconds within which a second, nearby press belongs to a double click or double tap. */
const DOUBLE_CLICK_MS = 400;
/** Pixels; two taps of a finger do not hit the same point. */
const DOUBLE_CLICK_PX = 40;

/** The fields of a click that are needed here. */
export type Press = Pick<MouseEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY'>;

let openingPress: Press | null = null;

/** Records a press that opens something under the pointer, which a second press could hit. */
export function recordOpeningPress({ detail, timeStamp, clientX, clientY }: Press): void {
  openingPress = { detail, timeStamp, clientX, clientY };
}

/**
 * Whether a click belongs to the double click or double tap that opened the element now under the pointer. Some browsers
 * report a quick double tap as two single clicks. Keyboard clicks have no position (`detail` 0) and never count.
 */
export function isRepeatedPress(press: Press): boolean {
  if (press.detail === 0) return false;
  const isRepeat =
    press.detail > 1 || (openingPress !== null && openingPress.detail > 0 && isCloseTo(openingPress, press));
  if (isRepeat) recordOpeningPress(press);
  return isRepeat;
}

function isCloseTo(first: Press, next: Press): boolean {
  const distance = Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY);
  return next.timeStamp - first.timeStamp <= DOUBLE_CLICK_MS && distance <= DOUBLE_CLICK_PX;
}
