/** Cuts a text between whole characters, never inside a surrogate pair. @param max in UTF-16 units */
export function truncateText(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, '');
}
