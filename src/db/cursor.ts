/** Where a page of a list ended: the sort value and id of its last character. */
export interface ListCursor {
  value: number;
  id: string;
}

/** Opaque to clients; holds nothing that the list itself does not show. */
export function writeCursor(cursor: ListCursor): string {
  return `${cursor.value}.${cursor.id}`;
}

/** Reads a cursor, or null when it is absent or not one of ours. */
export function readCursor(text: string | undefined): ListCursor | null {
  const match = /^(\d{1,15})\.([A-Za-z0-9_-]{1,64})$/.exec(text ?? '');
  if (match === null) return null;
  return { value: Number(match[1]), id: match[2] as string };
}
