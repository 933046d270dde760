// Changes single values of wrangler.toml and leaves everything else as somebody wrote it, comments included. It knows as
// much of TOML as that file uses: tables, lists of tables, one value a line, and lists that take several.

/** What stands for an id that was not made yet. */
export const isPlaceholder = (value) => typeof value === 'string' && /^[0-]*$/.test(value);

const HEADER = /^\s*(\[\[?)([^\]]+)\]\]?\s*(?:#.*)?$/;

/**
 * The tables of a text: their names and lines, in order.
 * @param {string} text
 * @returns {{ name: string, from: number, to: number }[]} `from` is the line after the header, `to` the one after the last
 */
function tablesOf(text) {
  const lines = text.split('\n');
  const tables = [{ name: '', from: 0, to: lines.length }];
  for (const [at, line] of lines.entries()) {
    const [, , name] = HEADER.exec(line) ?? [];
    if (name === undefined) continue;
    tables[tables.length - 1].to = at;
    tables.push({ name: name.trim(), from: at + 1, to: lines.length });
  }
  return tables;
}

/** Whether a list that begins here ends here. @param {string} written */
const isWhole = (written) => {
  const bare = written.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '');
  return bare.split('[').length <= bare.split(']').length;
};

/** The place of a key, from its line to the one after its last, and its value as it is written. */
function lineOf(lines, { from, to }, key) {
  for (let at = from; at < to; at += 1) {
    const [, name, first] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(lines[at]) ?? [];
    if (name !== key) continue;
    let value = first;
    let end = at + 1;
    while (value.startsWith('[') && !isWhole(value) && end < to) {
      value += ` ${lines[end].trim()}`;
      end += 1;
    }
    return { at, end, value };
  }
  return null;
}

/** What a written value says: a text, or its own words where it is anything else. */
function readValue(written) {
  const [, basic] = /^("(?:[^"\\]|\\.)*")/.exec(written) ?? [];
  if (basic !== undefined) return JSON.parse(basic);
  const [, literal] = /^'([^']*)'/.exec(written) ?? [];
  return literal ?? written.replace(/\s+#.*$/, '');
}

/**
 * A value of a table.
 * @param {string} text
 * @param {string} table its name, without brackets
 * @param {string} key
 * @returns {string | undefined}
 */
export function valueIn(text, table, key) {
  const lines = text.split('\n');
  for (const one of tablesOf(text).filter(({ name }) => name === table)) {
    const line = lineOf(lines, one, key);
    if (line !== null) return readValue(line.value);
  }
  return undefined;
}

/** All values of a table, each as a text. @param {string} text @param {string} table @returns {Record<string, string>} */
export function valuesIn(text, table) {
  const lines = text.split('\n');
  const one = tablesOf(text).find(({ name }) => name === table);
  if (one === undefined) return {};
  const pairs = [];
  for (let at = one.from; at < one.to; at += 1) {
    const [, name, value] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(lines[at]) ?? [];
    if (name !== undefined) pairs.push([name, readValue(value)]);
  }
  return Object.fromEntries(pairs);
}

/**
 * Sets a value of a table; a key that is not there yet comes after the table's last.
 * @param {string} text
 * @param {string} table
 * @param {string} key
 * @param {string} written as TOML has it: a text in quotes, a list
 * @returns {string} the text with it
 * @throws Error when there is no such table
 */
export function withValue(text, table, key, written) {
  const lines = text.split('\n');
  const one = tablesOf(text).find(({ name }) => name === table);
  if (one === undefined) throw new Error(`wrangler.toml has no [${table}]`);
  const known = lineOf(lines, one, key);
  if (known !== null) {
    lines.splice(known.at, known.end - known.at, `${key} = ${written}`);
    return lines.join('\n');
  }
  let end = one.to;
  while (end > one.from && (lines[end - 1].trim() === '' || lines[end - 1].trim().startsWith('#'))) end -= 1;
  lines.splice(end, 0, `${key} = ${written}`);
  return lines.join('\n');
}

/** A text as TOML writes it. @param {string} value */
export const quoted = (value) => JSON.stringify(value);
