import { createPositionedId, getIdPosition, selectIdPosition } from '../../../lib/ids.ts';

/** The ids of a message and of its first version. */
export interface MessageIds {
  id: string;
  versionId: string;
}

/** Creates the ids of a message at this position, without writing anything. */
export const createMessageIds = (position: number, now: number): MessageIds => ({
  id: createPositionedId(now, position),
  versionId: createPositionedId(now, position),
});

/** Creates the id of a message's next version, without writing anything. */
export const createVersionId = (messageId: string, now: number): string =>
  createPositionedId(now, getIdPosition(messageId));

/** SQL that joins `messages` by the id in a column. */
export const joinMessages = (column: string): string =>
  `join messages on messages.position = ${selectIdPosition(column)} and messages.id = ${column}`;
