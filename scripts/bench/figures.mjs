// The bench's own arithmetic: what is made of measured numbers, and how it stands in tables.

/** The value below which a share of some values lies; NaN of none. */
export function percentile(values, share) {
  if (values.length === 0) return Number.NaN;
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1))];
}

export const median = (values) => percentile(values, 0.5);
export const sum = (values) => values.reduce((total, value) => total + value, 0);

/** A number as a table shows it: three digits that mean something, thousands apart. */
export function shown(value) {
  if (!Number.isFinite(value)) return '–';
  const size = Math.abs(value);
  const digits = size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 2 : 3;
  return value.toLocaleString('en', {
    minimumFractionDigits: size === 0 ? 0 : Math.min(digits, 2),
    maximumFractionDigits: digits,
  });
}

const signed = (value) => `${value < 0 ? '−' : '+'}${shown(Math.abs(value))}`;

/** A value, and in brackets what it is above a floor: `10.2 (+9.00)`. */
export const added = (value, floor) => `${shown(value)} (${signed(value - floor)})`;

/** A table as Markdown has it, its columns of one width. */
export function table(head, rows) {
  const cells = [head, ...rows].map((row) => row.map((cell) => String(cell).replaceAll('|', '\\|')));
  const widths = head.map((_, column) => Math.max(3, ...cells.map((row) => row[column].length)));
  const line = (row) => `| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`;
  const [first, ...rest] = cells;
  return [line(first), `| ${widths.map((width) => '-'.repeat(width)).join(' | ')} |`, ...rest.map(line)].join(
    '\n',
  );
}

/** Whether an aim is met, in a sentence; `why` is told where it is not. */
export function verdict({ aim, value, most, unit, why }) {
  const met = value <= most;
  const told = `${shown(value)} ${unit}`;
  return met ? `${aim}: met (${told}).` : `${aim}: **missed** (${told}). ${why}`;
}

const markers = (name) => [`<!-- bench:${name} -->`, `<!-- /bench:${name} -->`];

/**
 * Puts a part's text between its markers.
 * @throws Error where a document has no place for it
 */
export function withPart(document, name, text) {
  const [begin, end] = markers(name);
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from === -1 || to < from) throw new Error(`The document has no place for ${name}.`);
  return `${document.slice(0, from + begin.length)}\n\n${text.trim()}\n\n${document.slice(to)}`;
}

/**
 * What something costs by a list of prices.
 * @param {Record<string, number>} used by the names of the list
 * @param {Record<string, { price: number, per: number }>} prices
 * @returns in dollars, the dearest first
 */
export function costOf(used, prices) {
  const lines = Object.entries(used).map(([name, count]) => {
    const known = prices[name];
    if (known === undefined) throw new Error(`No price is known for ${name}.`);
    return { name, count, dollars: (count * known.price) / known.per };
  });
  return lines.sort((a, b) => b.dollars - a.dollars);
}

/** An object in memory is charged as if it had so much, whatever it takes. */
const CHARGED_GB = 0.128;

/** What of the counts of some turns is charged for, for each turn, by the names of the prices. */
export function chargedFor(counts, turns) {
  const each = (value) => value / turns;
  const toObjects = sum(Object.values(counts.object_requests)) + counts.alarms;
  return {
    worker_requests: each(counts.worker_requests),
    worker_cpu_ms: each(counts.worker_cpu_ms),
    object_requests: each(toObjects),
    object_gb_seconds: each((sum(Object.values(counts.active_ms)) / 1000) * CHARGED_GB),
    object_rows_read: each(sum(Object.values(counts.object_rows_read))),
    object_rows_written: each(sum(Object.values(counts.object_rows_written))),
    d1_rows_read: each(counts.d1_rows_read),
    d1_rows_written: each(counts.d1_rows_written),
    kv_reads: each(counts.kv_reads),
    kv_writes: each(counts.kv_writes),
    data_points: each(counts.data_points),
    // The platform's own line of each call is off (`invocation_logs` in wrangler.toml).
    log_events: each(counts.log_lines),
  };
}

/** A statement by what it does and to which tables: the words of SQL, without what it was asked with. */
export function statementName(sql) {
  const flat = sql.replaceAll(/\s+/g, ' ').trim();
  const verb = /\b(select|insert|update|delete)\b/i.exec(flat)?.[1]?.toLowerCase() ?? 'other';
  const found = [...flat.matchAll(/\b(?:from|join|into|update)\s+["`]?([a-z_][a-z0-9_]*)/gi)]
    .map(([, name]) => name)
    .filter((name) => !['select', 'set', 'json_each'].includes(name));
  return `${verb} ${[...new Set(found)].join(', ')}`;
}

/** The resident memory of a process in bytes, as `/proc/<pid>/status` tells it. */
export function residentBytes(status) {
  const found = /^VmRSS:\s+(\d+) kB$/m.exec(status);
  if (found === null) throw new Error('No resident memory is told.');
  return Number(found[1]) * 1024;
}
