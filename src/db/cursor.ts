import { and, eq, lt, or, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** Where a page of a list ended: the sort value and id of its last row. */
export interface ListCursor {
  value: number;
  id: string;
}

/** Opaque to clients; holds nothing that the list itself does not show. */
export function encodeCursor(cursor: ListCursor): string {
  return `${cursor.value}.${cursor.id}`;
}

/** Reads a cursor, or null when it is absent or not one of ours. */
export function decodeCursor(text: string | undefined): ListCursor | null {
  const match = /^(\d{1,15})\.([A-Za-z0-9_-]{1,64})$/.exec(text ?? '');
  if (match === null) return null;
  return { value: Number(match[1]), id: match[2] as string };
}

/** The rows behind a place, in a list that begins with the highest values and, of one value, ids; all where there is none. */
export function buildCursorCondition(
  place: ListCursor | null,
  value: SQLiteColumn,
  id: SQLiteColumn,
): SQL | undefined {
  return place === null
    ? undefined
    : or(lt(value, place.value), and(eq(value, place.value), lt(id, place.id)));
}

/**
 * One page of a list, and where the next one begins; null when this was all.
 * @param rows as many as the page holds and, where there are more, one more
 */
export function buildPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  { place, item }: { place: (row: Row) => ListCursor; item: (row: Row) => Item },
): { items: Item[]; next_cursor: string | null } {
  const last = rows[limit - 1];
  return {
    items: rows.slice(0, limit).map((row) => item(row)),
    next_cursor: rows.length > limit && last !== undefined ? encodeCursor(place(last)) : null,
  };
}
