// What a rehearsal found, as tables for people.
import { readFileSync, writeFileSync } from 'node:fs';

const row = (cells) => `| ${cells.join(' | ')} |`;
const number = (value) => value.toLocaleString('en');
const time = (seconds) => (seconds < 0.1 ? `${(seconds * 1000).toFixed(0)} ms` : `${seconds.toFixed(1)} s`);
const megabytes = (bytes) => `${(bytes / 1e6).toFixed(0)} MB`;

/** A statement in a few words. */
const short = (text) => {
  const line = text.replaceAll(/--.*$/gm, '').replaceAll(/\s+/g, ' ').trim();
  return `\`${(line.length > 70 ? `${line.slice(0, 67)}…` : line).replaceAll('`', '')}\``;
};

/** Statements that take longer than this are told one by one. In seconds. */
const TOLD_SECONDS = 0.2;

/**
 * @param {object[]} applied what each migration took, and what is to be known of it
 * @param {{ before: Map<string, number>, copy?: string }} database how many rows its tables had, and where it came from
 */
export function databaseTable(applied, { before, copy }) {
  const rows = [...before.values()].reduce((sum, count) => sum + count, 0);
  const what = copy === undefined ? 'A made-up database' : 'The copy';
  const head = `${what}: ${number(before.get('conversations') ?? 0)} conversations, ${number(before.get('characters') ?? 0)} characters, ${number(before.get('users') ?? 0)} people, ${number(rows)} rows in ${before.size} tables.`;
  const lines = applied.flatMap(
    ({ name, seconds, processorSeconds, rowsWritten, sizeBytes, statements, blocks, tells }) => [
      row([
        `**${name}**`,
        time(seconds),
        processorSeconds === null ? '' : time(processorSeconds),
        number(rowsWritten),
        megabytes(sizeBytes),
        [...blocks.map((text) => `**${text}**`), ...tells].join('; ') || 'nothing',
      ]),
      ...statements
        .filter((statement) => statement.seconds > TOLD_SECONDS)
        .map((statement) =>
          row([
            `… ${short(statement.text)}`,
            time(statement.seconds),
            '',
            number(statement.rowsWritten),
            '',
            '',
          ]),
        ),
    ],
  );
  return [
    head,
    '',
    row([
      'migration, and its statements above 0.2 s',
      'time',
      'processor',
      'rows written',
      'database then',
      'to know',
    ]),
    '| --- | ---: | ---: | ---: | ---: | --- |',
    ...lines,
  ].join('\n');
}

export function objectTable({ rows, floorMs, killed, messages }) {
  return [
    `Objects with ${number(messages)} messages, or turns. An empty call takes ${floorMs.toFixed(1)} ms, and is in each time.`,
    '',
    row(['object', 'from step', 'to', 'size', 'opening', 'processor', 'pieces after it', 'the longest']),
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: |',
    ...rows.map(({ kind, from, to, bytes, openingMs, processorMs, pieces, pieceMs }) =>
      row([
        kind,
        from,
        to,
        `${(bytes / 1e6).toFixed(1)} MB`,
        `${openingMs.toFixed(0)} ms`,
        `${processorMs.toFixed(0)} ms`,
        pieces > 1 ? pieces : 0,
        pieces > 1 ? `${pieceMs.toFixed(0)} ms` : '',
      ]),
    ),
    ...(killed === null
      ? []
      : [
          '',
          `Runtime killed in the middle of an opening: ${killed.old + killed.new + killed.torn} times; ${killed.old} were as before, ${killed.new} were new, ${killed.torn} torn.`,
        ]),
  ].join('\n');
}

/** Puts tables into a page between their marks, `<!-- rehearsal:database -->` and `<!-- /rehearsal:database -->`. */
export function writeInto(file, tables, machine) {
  let page = readFileSync(file, 'utf8');
  for (const [name, table] of Object.entries(tables)) {
    const marks = new RegExp(`(<!-- rehearsal:${name} -->)[\\s\\S]*?(<!-- /rehearsal:${name} -->)`);
    if (!marks.test(page)) throw new Error(`${file} has no place for the table of the ${name}`);
    page = page.replace(marks, (_, begin, end) => `${begin}\n\n${table}\n\n${machine}\n\n${end}`);
  }
  writeFileSync(file, page);
}
