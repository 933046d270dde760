/** In this time after a press another one close by is the rest of a double click or a double tap. */
const DOUBLE_CLICK_MS = 400;
/** In pixels; fingers do not meet the same place twice. */
const DOUBLE_CLICK_PX = 40;

/** What a click tells of the press that it is. */
export type Press = Pick<MouseEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY'>;

let openingPress: Press | null = null;

/** Notes the press that opens something where the next press may land in it. */
export function recordOpeningPress({ detail, timeStamp, clientX, clientY }: Press): void {
  openingPress = { detail, timeStamp, clientX, clientY };
}

/**
 * Whether a click is the rest of the double click or the double tap that opened what lies under it now, and so not a
 * wish for that. Two quick taps count as two single ones in some browsers. Keys press without a place, and at once.
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
