/** In this time after a press another one close by is the rest of a double click or a double tap. */
const BURST_MS = 400;
/** In pixels; fingers do not meet the same place twice. */
const BURST_PX = 40;

/** What a click tells of the press that it is. */
export type Press = Pick<MouseEvent, 'detail' | 'timeStamp' | 'clientX' | 'clientY'>;

let opening: Press | null = null;

/** Notes the press that opens something where the next press may land in it. */
export function noteOpening({ detail, timeStamp, clientX, clientY }: Press): void {
  opening = { detail, timeStamp, clientX, clientY };
}

/**
 * Whether a click is the rest of the double click or the double tap that opened what lies under it now, and so not a
 * wish for that. Two quick taps count as two single ones in some browsers. Keys press without a place, and at once.
 */
export function isRestOfOpening(press: Press): boolean {
  if (press.detail === 0) return false;
  const isRest = press.detail > 1 || (opening !== null && opening.detail > 0 && isSoonAfter(opening, press));
  if (isRest) noteOpening(press);
  return isRest;
}

function isSoonAfter(first: Press, next: Press): boolean {
  const away = Math.hypot(next.clientX - first.clientX, next.clientY - first.clientY);
  return next.timeStamp - first.timeStamp <= BURST_MS && away <= BURST_PX;
}
