/** A retry comes at once or not at all. */
const MAX_SAVED_FORKS = 10;

/** SQL of the forks that clients named themselves, the newest few of them. */
export class ForkStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** The conversation that was made for this id of a client; null when none was. */
  findFork(clientId: string): string | null {
    return (
      this.#sql
        .exec<{ conversation_id: string }>('select conversation_id from forks where client_id = ?', clientId)
        .toArray()[0]?.conversation_id ?? null
    );
  }

  saveFork(clientId: string, conversationId: string): void {
    this.#sql.exec(
      'insert or replace into forks (client_id, conversation_id) values (?, ?)',
      clientId,
      conversationId,
    );
    this.#sql.exec(
      `delete from forks where rowid not in (select rowid from forks order by rowid desc limit ${MAX_SAVED_FORKS})`,
    );
  }
}
