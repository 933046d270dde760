/** Retries come soon after the first attempt, so a few saved ids are enough. */
const MAX_SAVED_FORKS = 10;

/** SQL of the newest forks that were requested with a client id. */
export class ForkStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Returns the conversation that was forked with this client id, or null. */
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
