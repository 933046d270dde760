/** SQL of the lorebook of a conversation's character, as JSON text. */
export class LoreStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  /** Null when there is none. */
  readBook(): string | null {
    return this.#sql.exec<{ book: string }>('select book from lore').toArray()[0]?.book ?? null;
  }

  saveBook(book: string | null): void {
    if (book === null) this.#sql.exec('delete from lore');
    else this.#sql.exec('insert or replace into lore (one, book) values (1, ?)', book);
  }
}
