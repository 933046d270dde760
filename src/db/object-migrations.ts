/**
 * One change of an object's tables: its SQL, or that with what else has to be known of it. A step, once shipped, never
 * changes. docs/schema-changes.md says how one is written.
 */
export type ObjectStep = string | LongerStep;

interface LongerStep {
  sql?: string;
  /**
   * Code that does not know the step leaves the object alone: it could not read what is there, or would write what is
   * not true any more. Without it, older code goes on working beside the step, as after a rollback.
   */
  bars?: 'older code';
  /** What has to be done row by row where there can be many rows: it comes after, a piece at a time. */
  move?: Move;
}

/**
 * A walk over a table in pieces, each whole or not at all. It runs over the newest shape, whatever steps came after its
 * own, and the code works while it is under way.
 */
interface Move {
  table: string;
  /** The table's integer key: the walk goes by it. */
  key: string;
  /** Does it for the rows whose key is above the first parameter, up to and with the second; twice is as good as once. */
  piece: string;
}

/** Rows of a piece: a few milliseconds, so that whoever wants something of the object meanwhile hardly waits. */
export const MOVE_ROWS = 500;

type Applied = { step: number; oldest?: number | null };

/** The SQL that a step runs at once; empty where it only moves. */
export const sqlOf = (step: ObjectStep): string => (typeof step === 'string' ? step : (step.sql ?? ''));

/**
 * Brings an object's SQLite to the newest shape, all of it or nothing. The list is append-only: an object that slept
 * through several steps catches up when it wakes. One that is newer than this code is left as it is, and used, unless a
 * step that it knows bars older code.
 * @throws Error when such a step does; nothing is written then
 */
export function migrateObject(storage: DurableObjectStorage, steps: readonly ObjectStep[]): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    sql.exec(
      'create table if not exists object_migrations (step integer primary key, applied_at integer not null, oldest integer)',
    );
    const last = sql.exec<Applied>('select * from object_migrations order by step desc limit 1').toArray()[0];
    const applied = last?.step ?? 0;
    // Until it was written down how far back an object can be read, no older code could.
    let oldest = last?.oldest ?? applied;
    if (oldest > steps.length)
      throw new Error(
        `the object's tables are at step ${applied}, and can be used from step ${oldest} on: this code knows ${steps.length}`,
      );
    if (applied >= steps.length) return;
    if (last !== undefined && last.oldest === undefined)
      sql.exec('alter table object_migrations add column oldest integer');
    for (const [index, step] of steps.entries()) {
      const number = index + 1;
      if (number <= applied) continue;
      const statements = sqlOf(step);
      if (statements !== '') sql.exec(statements);
      if (typeof step !== 'string') {
        if (step.bars !== undefined) oldest = number;
        if (step.move !== undefined) beginMove(sql, number, step.move);
      }
      sql.exec(
        'insert into object_migrations (step, applied_at, oldest) values (?, ?, ?)',
        number,
        Date.now(),
        oldest,
      );
    }
  });
}

/** Notes a walk over what stands in the table now; what is written later is written as the newest code does it. */
function beginMove(sql: SqlStorage, step: number, { table, key }: Move): void {
  const { first, last } = sql
    .exec<{ first: number | null; last: number | null }>(
      `select (select min(${key}) from ${table}) as first, (select max(${key}) from ${table}) as last`,
    )
    .one();
  if (first === null || last === null) return;
  sql.exec(
    'create table if not exists object_moves (step integer primary key, done_to integer not null, last integer not null)',
  );
  sql.exec('insert into object_moves (step, done_to, last) values (?, ?, ?)', step, first - 1, last);
}

type Waiting = { step: number; done_to: number; last: number };

/** What steps have still to do row by row. Whoever owns the object does it piece by piece, and lets others by between. */
export class ObjectMoves {
  readonly #storage: DurableObjectStorage;
  readonly #steps: readonly ObjectStep[];
  #waiting: Waiting[];

  constructor(storage: DurableObjectStorage, steps: readonly ObjectStep[]) {
    this.#storage = storage;
    this.#steps = steps;
    const isThere = storage.sql.exec("select 1 from sqlite_master where name = 'object_moves'").toArray();
    this.#waiting =
      isThere.length === 0
        ? []
        : storage.sql
            .exec<Waiting>(
              'select step, done_to, last from object_moves where step <= ? order by step',
              steps.length,
            )
            .toArray();
  }

  get waiting(): boolean {
    return this.#waiting.length > 0;
  }

  /** Does the next piece, and writes down how far it came: all of it or nothing. */
  doPiece(): void {
    const [now, ...rest] = this.#waiting;
    if (now === undefined) return;
    const { sql } = this.#storage;
    const step = this.#steps[now.step - 1];
    const move = typeof step === 'object' ? step.move : undefined;
    const upTo = this.#storage.transactionSync(() => {
      const end = move === undefined ? now.last : this.#pieceEnd(move, now);
      if (move !== undefined) sql.exec(move.piece, now.done_to, end);
      if (end >= now.last) sql.exec('delete from object_moves where step = ?', now.step);
      else sql.exec('update object_moves set done_to = ? where step = ?', end, now.step);
      return end;
    });
    this.#waiting = upTo >= now.last ? rest : [{ ...now, done_to: upTo }, ...rest];
  }

  #pieceEnd({ table, key }: Move, { done_to: doneTo, last }: Waiting): number {
    const { end } = this.#storage.sql
      .exec<{ end: number | null }>(
        `select max(${key}) as end from (select ${key} from ${table} where ${key} > ? and ${key} <= ? order by ${key} limit ?)`,
        doneTo,
        last,
        MOVE_ROWS,
      )
      .one();
    return end ?? last;
  }
}

/** Whether the object was ever set up; asking writes nothing, so guessed names leave no trace. */
export function isSetUp(storage: DurableObjectStorage): boolean {
  return (
    storage.sql
      .exec("select 1 from sqlite_master where type = 'table' and name = 'object_migrations'")
      .toArray().length > 0
  );
}
