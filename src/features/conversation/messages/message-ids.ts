import { selectIdPosition } from '../../../lib/positioned-ids.ts';

/** SQL that joins `messages` by the id in a column. */
export const joinMessages = (column: string): string =>
  `join messages on messages.position = ${selectIdPosition(column)} and messages.id = ${column}`;
