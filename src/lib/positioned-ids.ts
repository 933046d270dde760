import { createId, isId } from './ids.ts';

/**
 * Ids that contain a position in a sequence, such as that of a message in its conversation: a row is found by the position
 * as its primary key, and no second index has to be written.
 */

/** Where the position starts in an id, and its decimal digits. */
const POSITION_START = 10;
const POSITION_DIGITS = 8;
export const MAX_POSITION = 10 ** POSITION_DIGITS - 1;

/** Creates an id: the time, the position, and random characters. */
export function createPositionedId(now: number, position: number): string {
  const id = createId(now);
  return (
    id.slice(0, POSITION_START) +
    String(position).padStart(POSITION_DIGITS, '0') +
    id.slice(POSITION_START + POSITION_DIGITS)
  );
}

/** Returns the position that an id contains; 0 for a text that is no such id. */
export function getIdPosition(id: string): number {
  const digits = id.slice(POSITION_START, POSITION_START + POSITION_DIGITS);
  return isId(id) && /^\d{8}$/.test(digits) ? Number(digits) : 0;
}

/** SQL for the position that the id in a column contains. */
export const selectIdPosition = (column: string): string =>
  `cast(substr(${column}, ${POSITION_START + 1}, ${POSITION_DIGITS}) as integer)`;
