/**
 * A text as D1 exports it: breaks of lines by two signs each that an `INSERT` turns back, and with them all such signs that
 * stood in the text (miniflare's `dumpSql`, which is the platform's; cloudflare/workers-sdk#9042).
 */
export function toD1Export(text: string): string {
  const [feed, turn] = ['\n', '\r'].map((sign) => text.includes(sign));
  let sql = `'${text.replaceAll("'", "''").replaceAll('\n', '\\n').replaceAll('\r', '\\r')}'`;
  if (turn === true) sql = `replace(${sql},'\\r',char(13))`;
  if (feed === true) sql = `replace(${sql},'\\n',char(10))`;
  return sql;
}
