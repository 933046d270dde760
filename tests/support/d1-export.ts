/**
 * Escapes a text as a D1 export does: line breaks become two characters that the `INSERT` reverts, and so do such
 * characters in the text (miniflare's `dumpSql`; cloudflare/workers-sdk#9042).
 */
export function toD1Export(text: string): string {
  const [feed, turn] = ['\n', '\r'].map((sign) => text.includes(sign));
  let sql = `'${text.replaceAll("'", "''").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
  if (turn === true) sql = `replace(${sql},'\\r',char(13))`;
  if (feed === true) sql = `replace(${sql},'\\n',char(10))`;
  return sql;
}
