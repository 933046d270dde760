import {
  DEFAULT_REPLY_SETTINGS,
  extractChangedSettings,
  type ReplySettings,
} from './reply-settings-contract.ts';

/**
 * SQL of a conversation's reply settings. They have a row of their own, because each change of the conversation's row
 * writes it as a whole. Cached, because every turn reads them.
 */
export class ReplySettingsStore {
  readonly #sql: SqlStorage;
  #cached: Readonly<ReplySettings> | null = null;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  get(): Readonly<ReplySettings> {
    return (this.#cached ??= this.#read());
  }

  #read(): ReplySettings {
    const [row] = this.#sql.exec<{ settings: string }>('select settings from reply_settings').toArray();
    const stored = row === undefined ? {} : (JSON.parse(row.settings) as Partial<ReplySettings>);
    return { ...DEFAULT_REPLY_SETTINGS, ...stored };
  }

  /** Stores the settings; without a row when they are all default. */
  save(settings: ReplySettings): void {
    const changed = extractChangedSettings(settings);
    if (Object.keys(changed).length === 0) this.#sql.exec('delete from reply_settings');
    else {
      const text = JSON.stringify(changed);
      this.#sql.exec('insert or replace into reply_settings (one, settings) values (1, ?)', text);
    }
    this.#cached = null;
  }
}
