/** The long texts of a conversation's character, as JSON; null for none. */
export interface CharacterBooks {
  lorebook: string | null;
  /** The parts of the definition that models read. */
  parts: string | null;
}

/** SQL of the long texts of a conversation's character. */
export class LoreStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  read(): CharacterBooks {
    const [row] = this.#sql
      .exec<{ book: string | null; parts: string | null }>('select book, parts from lore')
      .toArray();
    return { lorebook: row?.book ?? null, parts: row?.parts ?? null };
  }

  save({ lorebook, parts }: CharacterBooks): void {
    if (lorebook === null && parts === null) this.#sql.exec('delete from lore');
    else this.#sql.exec('insert or replace into lore (one, book, parts) values (1, ?, ?)', lorebook, parts);
  }
}
