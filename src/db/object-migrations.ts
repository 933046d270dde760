/**
 * Brings an object's SQLite to the newest shape. The list is append-only: an entry, once shipped,
 * never changes, and an object that slept through several of them catches up when it wakes.
 * @throws Error when the object is newer than this code (a roll-back must not write to it)
 */
export function migrateObject(storage: DurableObjectStorage, steps: readonly string[]): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    sql.exec(
      'create table if not exists object_migrations (step integer primary key, applied_at integer not null)',
    );
    const applied = sql
      .exec<{ count: number }>('select count(*) as count from object_migrations')
      .one().count;
    if (applied > steps.length)
      throw new Error(`object schema is at step ${applied}, this code knows ${steps.length}`);
    steps.slice(applied).forEach((statement, offset) => {
      sql.exec(statement);
      sql.exec('insert into object_migrations values (?, ?)', applied + offset + 1, Date.now());
    });
  });
}

/** Whether the object was ever set up; asking writes nothing, so guessed names leave no trace. */
export function isSetUp(storage: DurableObjectStorage): boolean {
  return (
    storage.sql
      .exec("select 1 from sqlite_master where type = 'table' and name = 'object_migrations'")
      .toArray().length > 0
  );
}
