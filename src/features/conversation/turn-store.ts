/** One send, or one rewriting of a reply, under the id that its client made. */
export interface Turn {
  id: string;
  userMessageId: string | null;
  replyId: string;
  /** The text that this turn writes; also the id of its reservation. */
  versionId: string;
  /** What the reply showed before, should nothing come of this; null for a reply's first text. */
  previousVersionId: string | null;
  /** Whose points pay for it. */
  payerId: string;
  ended: boolean;
  /** How it ended, when not well. */
  errorCode: string | null;
}

/** What the wallet is owed for a turn: kept until the wallet has confirmed it. */
export interface Settlement {
  versionId: string;
  payerId: string;
  replyId: string | null;
  outcome: 'settle' | 'release';
}

type TurnRow = {
  id: string;
  user_message_id: string | null;
  reply_id: string;
  version_id: string;
  previous_version_id: string | null;
  payer_id: string;
  ended: number;
  error_code: string | null;
};

/** SQL of a conversation's turns, and of what the wallet has still to be told of them. */
export class TurnStore {
  readonly #sql: SqlStorage;

  constructor(sql: SqlStorage) {
    this.#sql = sql;
  }

  add(turn: Turn, now: number): void {
    this.#sql.exec(
      'insert into turns (id, user_message_id, reply_id, version_id, previous_version_id, payer_id, created_at) values (?, ?, ?, ?, ?, ?, ?)',
      turn.id,
      turn.userMessageId,
      turn.replyId,
      turn.versionId,
      turn.previousVersionId,
      turn.payerId,
      now,
    );
  }

  get(id: string): Turn | null {
    const row = this.#sql.exec<TurnRow>('select * from turns where id = ?', id).toArray()[0];
    return row === undefined ? null : toTurn(row);
  }

  open(): Turn[] {
    return this.#sql.exec<TurnRow>('select * from turns where ended = 0').toArray().map(toTurn);
  }

  setEnded(id: string, errorCode: string | null): void {
    this.#sql.exec('update turns set ended = 1, error_code = ? where id = ?', errorCode, id);
  }

  remove(id: string): void {
    this.#sql.exec('delete from turns where id = ?', id);
  }

  // ── what the wallet has still to be told ──

  addSettlement(settlement: Settlement): void {
    this.#sql.exec(
      'insert or replace into settlements (version_id, payer_id, reply_id, outcome) values (?, ?, ?, ?)',
      settlement.versionId,
      settlement.payerId,
      settlement.replyId,
      settlement.outcome,
    );
  }

  settlements(): Settlement[] {
    return this.#sql
      .exec<{
        version_id: string;
        payer_id: string;
        reply_id: string | null;
        outcome: Settlement['outcome'];
      }>('select * from settlements')
      .toArray()
      .map((row) => ({
        versionId: row.version_id,
        payerId: row.payer_id,
        replyId: row.reply_id,
        outcome: row.outcome,
      }));
  }

  removeSettlement(versionId: string): void {
    this.#sql.exec('delete from settlements where version_id = ?', versionId);
  }
}

const toTurn = (row: TurnRow): Turn => ({
  id: row.id,
  userMessageId: row.user_message_id,
  replyId: row.reply_id,
  versionId: row.version_id,
  previousVersionId: row.previous_version_id,
  payerId: row.payer_id,
  ended: row.ended === 1,
  errorCode: row.error_code,
});
