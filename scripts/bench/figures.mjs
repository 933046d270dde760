// Arithmetic on measured values, and their form in Markdown.

/** @returns the least measured value that a share of all values does not exceed; NaN if there are none */
export function percentile(values, share) {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1))];
}

export const median = (values) => percentile(values, 0.5);
export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A number with three significant digits and thousands separators, a whole one with all digits; `–` if it is not finite. */
export function formatNumber(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString('en', {
    minimumFractionDigits: Number.isInteger(value) ? 0 : Math.min(digits, 2),
    maximumFractionDigits: digits,
  });
}

/** A value, and its difference from the floor in brackets: `10.2 (+9.00)`. */
export function formatAdded(value, floor) {
  const difference = value - floor;
  return `${formatNumber(value)} (${difference < 0 ? '−' : '+'}${formatNumber(Math.abs(difference))})`;
}

export const formatRatio = (value, floor) =>
  Number.isFinite(value / floor) ? `${formatNumber(value / floor)}×` : '–';

/** A Markdown table with columns of equal width. @param head the names of its columns, separated by ` | ` */
export function formatTable(head, rows) {
  const format = (cell) => (typeof cell === 'number' ? formatNumber(cell) : cell.replaceAll('|', '\\|'));
  const cells = [head.split(' | '), ...rows].map((row) => row.map(format));
  const widths = cells[0].map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [first, ...rest] = cells.map(line);
  return [first, `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest].join('\n');
}

/** A list item that says whether a value is within its limit, and the reason if it is not. */
export function judgeAim(aim, value, limit, unit, reason = '') {
  const measured = `${formatNumber(value)} ${unit}`;
  return value <= limit
    ? `- ${aim}: met (${measured}).`
    : `- ${aim}: **missed** (${measured}). ${reason}`.trim();
}

/** How many things of a size fit into a room that already holds some; Infinity if they take nothing. */
export const computeCapacity = (room, held, each) =>
  each <= 0 ? Infinity : Math.max(0, Math.floor((room - held) / each));

/** A line for each target that failed. */
export const listFailures = (rows) =>
  rows.flatMap(({ name, failure }) => (failure ? [`**Failed**: ${name}: ${failure}`] : []));

/**
 * Replaces the text between a measurement's markers.
 * @throws Error if the document has no such markers
 */
export function replaceSection(document, name, text) {
  const [begin, end] = [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The document has no section for ${name}.`);
  return `${document.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${document.slice(to)}`;
}

/**
 * The price of what was used.
 * @param {Record<string, number>} usage by the names of the price list
 * @param {Record<string, { price: number, per: number }>} prices
 * @returns in dollars, the highest first
 */
export function priceUsage(usage, prices) {
  const lines = Object.entries(usage).map(([name, count]) => {
    const known = prices[name];
    if (known === undefined) throw new Error(`The price list has no ${name}.`);
    return { name, count, dollars: (count * known.price) / known.per };
  });
  return lines.sort((a, b) => b.dollars - a.dollars);
}

/** The platform charges an object in memory for this much, however little it uses. */
const CHARGED_GB = 0.128;

/** The charged usage of one turn, by the names of the price list. */
export function computeUsage(counts, turns) {
  const total = {
    worker_requests: counts.worker_requests,
    worker_cpu_ms: counts.worker_cpu_ms,
    object_requests: sum(Object.values(counts.object_requests)) + counts.alarms,
    object_gb_seconds: (sum(Object.values(counts.active_ms)) / 1000) * CHARGED_GB,
    object_rows_read: sum(Object.values(counts.object_rows_read)),
    object_rows_written: sum(Object.values(counts.object_rows_written)),
    d1_rows_read: counts.d1_rows_read,
    d1_rows_written: counts.d1_rows_written,
    kv_reads: counts.kv_reads,
    kv_writes: counts.kv_writes,
    data_points: counts.data_points,
    // The platform's own line for each call is off (`invocation_logs` in wrangler.toml).
    log_events: counts.log_lines,
  };
  return Object.fromEntries(Object.entries(total).map(([name, count]) => [name, count / turns]));
}

/** A short name for a statement: its verb and its tables. */
export function nameStatement(sql) {
  const flat = sql.replaceAll(/\s+/g, ' ').trim();
  const verb = /\b(select|insert|update|delete)\b/i.exec(flat)?.[1]?.toLowerCase() ?? 'other';
  const tables = [...flat.matchAll(/\b(?:from|join|into|update)\s+["`]?([a-z_][a-z0-9_]*)/gi)]
    .map(([, name]) => name)
    .filter((name) => !['select', 'set', 'json_each'].includes(name));
  return `${verb} ${[...new Set(tables)].join(', ')}`;
}

/** Reads the resident memory in bytes from the text of `/proc/<pid>/status`. */
export function parseResidentBytes(status) {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  if (found === null) throw new Error('The status has no resident memory.');
  return Number(found[1]) * 1024;
}
