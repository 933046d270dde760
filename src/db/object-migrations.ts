/**
 * Migrates an object's SQLite tables to the newest schema, all steps in one transaction.
 * @param steps SQL, in order. A released step never changes, and a step only adds to what earlier code reads and writes:
 * after a rollback, older code uses an object that newer code has migrated. Until 0.2.0 there is one step, which changes
 * in place (docs/migrations.md)
 */
export function migrateObject(storage: DurableObjectStorage, steps: readonly string[]): void {
  const { sql } = storage;
  storage.transactionSync(() => {
    sql.exec(
      'create table if not exists object_migrations (step integer primary key, applied_at integer not null)',
    );
    const { applied } = sql
      .exec<{ applied: number }>('select coalesce(max(step), 0) as applied from object_migrations')
      .one();
    for (const [index, statements] of steps.entries()) {
      if (index < applied) continue;
      sql.exec(statements);
      sql.exec('insert into object_migrations (step, applied_at) values (?, ?)', index + 1, Date.now());
    }
  });
}

/** Whether the object was ever set up. Writes nothing, so that requests with guessed names create no data. */
export function isInitialized(storage: DurableObjectStorage): boolean {
  return (
    storage.sql
      .exec("select 1 from sqlite_master where type = 'table' and name = 'object_migrations'")
      .toArray().length > 0
  );
}
