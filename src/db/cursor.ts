import { and, eq, lt, or, type SQL } from 'drizzle-orm';
import type { SQLiteColumn } from 'drizzle-orm/sqlite-core';

/** Where a page of a list ended: the sort value and id of its last row. */
export interface ListCursor {
  value: number;
  id: string;
}

/** Opaque to clients. It contains nothing that the list itself does not show. */
export function encodeCursor(cursor: ListCursor): string {
  return `${cursor.value}.${cursor.id}`;
}

/** Decodes a cursor. Returns null when it is absent or malformed. */
export function decodeCursor(text: string | undefined): ListCursor | null {
  const match = /^(\d{1,15})\.([A-Za-z0-9_-]{1,64})$/.exec(text ?? '');
  if (match === null) return null;
  return { value: Number(match[1]), id: match[2] as string };
}

/** Selects the rows after a cursor in a list sorted by value and then id, both descending; undefined without a cursor. */
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
 * Builds one page of a list with the cursor of the next page, which is null on the last page.
 * @param rows up to `limit` + 1 rows: the extra row shows that there is a next page
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
