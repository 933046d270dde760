// What the platform allows, and how near to it a rehearsal may come.

/** https://developers.cloudflare.com/d1/platform/limits/ and …/pricing/, read in November 2026. */
const D1 = {
  /** One query; and, because the API answers within it, one whole migration. */
  callSeconds: 30,
  databaseBytes: 10e9,
  statementBytes: 100_000,
  freeRowsWrittenADay: 100_000,
  dollarsPerMillionRowsWritten: 1,
};

/** Half of what is allowed is told: the platform's machine is another, and busy with others. */
const NEAR = 0.5;
/**
 * Where the machine is busy with others, its clock says little. Then this many times what the runtime had of a processor
 * counts: the rest is left to the disk.
 */
const DISK = 3;
/** D1 does one thing at a time: so long, nobody else's query is answered. In seconds. */
const FELT_SECONDS = 1;

/**
 * What would stand in the way of a migration, or of people while it runs.
 * @param {{ seconds: number, processorSeconds: number | null, statements: { seconds: number, text: string }[], sizeBytes: number, rowsWritten: number }} measured
 * @returns {{ blocks: string[], tells: string[] }} what would make it fail, and what is good to know
 */
export function judge({ seconds: clock, processorSeconds, statements, sizeBytes, rowsWritten }) {
  const seconds = processorSeconds === null ? clock : Math.min(clock, processorSeconds * DISK);
  const blocks = [];
  const tells = [];
  const tell = (value, limit, what) => {
    if (value > limit) blocks.push(`${what}: over the limit`);
    else if (value > limit * NEAR) tells.push(`${what}: over half of the limit`);
  };
  tell(seconds, D1.callSeconds, `${seconds.toFixed(1)} s in one call, of ${D1.callSeconds} s`);
  tell(sizeBytes, D1.databaseBytes, `${(sizeBytes / 1e9).toFixed(2)} GB, of ${D1.databaseBytes / 1e9} GB`);
  for (const { text } of statements)
    tell(Buffer.byteLength(text), D1.statementBytes, `a statement of ${Buffer.byteLength(text)} bytes`);
  if (seconds > FELT_SECONDS) tells.push(`no query is answered for ${seconds.toFixed(1)} s`);
  if (rowsWritten > D1.freeRowsWrittenADay)
    tells.push(
      `$${((rowsWritten / 1e6) * D1.dollarsPerMillionRowsWritten).toFixed(2)} for rows written; a free plan has ${D1.freeRowsWrittenADay.toLocaleString('en')} a day`,
    );
  return { blocks, tells };
}
