// Reads and changes values in wrangler.toml as text, because parsers lose its comments. It supports the TOML of that file:
// tables, lists of tables, one key a line, lists over several lines.

const STRING = String.raw`"(?:[^"\\\n]|\\.)*"|'[^'\n]*'`;
const LIST = String.raw`\[(?:${STRING}|#[^\n]*|[^\]"'#])*\]`;
const ENTRY = new RegExp(String.raw`^[ \t]*([\w-]+)[ \t]*=[ \t]*(${STRING}|${LIST}|[^#\n]*)[^\n]*$`, 'gm');
const HEADER = /^[ \t]*\[\[?([^\][\n]+)\]\]?[ \t]*(?:#[^\n]*)?$/gm;

/** Whether an id is empty or consists of the zeros that wrangler.toml comes with. @param {string} id */
export const isPlaceholder = (id) => /^[0-]*$/.test(id);

/** Writes a text as TOML. @param {string} value */
export const quote = (value) => JSON.stringify(value);

/** Finds the lines of a table. @param {string} text @param {string} table @returns {{ start: number, end: number } | null} */
function findTable(text, table) {
  const headers = [...text.matchAll(HEADER)];
  const index = headers.findIndex(([, name]) => name.trim() === table);
  if (index < 0) return null;
  const start = headers[index].index + headers[index][0].length + 1;
  return { start, end: headers[index + 1]?.index ?? text.length };
}

function parseValue(written) {
  if (written.startsWith('"')) return JSON.parse(written);
  return written.startsWith("'") ? written.slice(1, -1) : written.trim();
}

/**
 * Reads a table.
 * @param {string} text
 * @param {string} table its name without brackets
 * @returns {Record<string, string>} strings without quotes, other values as they are written; empty if there is no such table
 */
export function readTable(text, table) {
  const found = findTable(text, table);
  if (found === null) return {};
  const entries = text.slice(found.start, found.end).matchAll(ENTRY);
  return Object.fromEntries([...entries].map(([, key, written]) => [key, parseValue(written)]));
}

/**
 * Sets a value; a new key follows the last one of its table.
 * @param {string} text
 * @param {string} table
 * @param {string} key
 * @param {string} written the value as TOML
 * @returns {string} the changed text
 * @throws Error if there is no such table
 */
export function setValue(text, table, key, written) {
  const found = findTable(text, table);
  if (found === null) throw new Error(`wrangler.toml has no [${table}]`);
  const entries = [...text.slice(found.start, found.end).matchAll(ENTRY)];
  const known = entries.find(([, name]) => name === key);
  const last = entries.at(-1);
  const start = found.start + (known?.index ?? (last === undefined ? 0 : last.index + last[0].length + 1));
  const end = known === undefined ? start : start + known[0].length;
  return `${text.slice(0, start)}${key} = ${written}${known === undefined ? '\n' : ''}${text.slice(end)}`;
}
