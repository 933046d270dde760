import type { Spend } from '../../model/spend.ts';
import type { SpendPurpose } from '../../wallet/ledger.ts';
import type { ConversationStore } from '../conversation-store.ts';

/**
 * A turn writes one version of a reply: for a sent message, a regeneration or a continuation. The client creates its id.
 */
export interface Turn {
  id: string;
  kind: 'send' | 'regenerate' | 'continue';
  /** The character that is asked. */
  characterId: string;
  userMessageId: string | null;
  replyId: string;
  /** The version that this turn writes; also the id of its reservation. */
  versionId: string;
  /** The version selected before, in case this turn brings no text; null for a new reply. */
  previousVersionId: string | null;
  /** Length of the text before this turn, in UTF-16 units; 0 unless it continues a reply. */
  baseLength: number;
  /** How many event numbers precede the text's. */
  head: number;
  /** The user whose points pay for it. */
  payerId: string;
  ended: boolean;
  /** Null when it ended well. */
  errorCode: string | null;
}

/** Retries come soon after the first attempt, so a few saved results are enough. */
const ASKS_KEPT = 10;

/** The texts of an assist request, which the user saw but which are not part of the conversation. */
export interface KeptAsk {
  kind: 'suggestions' | 'draft';
  texts: string[];
  made_at: string;
}

/** A settlement that is stored until the wallet has confirmed it. */
export interface Settlement {
  versionId: string;
  payerId: string;
  replyId: string | null;
  outcome: 'settle' | 'release';
  /** What the points were spent on. */
  what: SpendPurpose;
  /** The model's cost. It is not stored, so it is only sent with the first attempt. */
  spend?: Spend;
}

/** The turn that is being written, with what the conversation was like before, in case it is refused. */
export interface OpenTurn extends Omit<Turn, 'ended' | 'errorCode'> {
  /** Set when the turn shows the AI notice: when it was shown before, and whether its message had it already. */
  notice: { noticedAt: number | null; wasShown: boolean } | null;
  /** Whether it is the first one, with which the conversation begins. */
  isFirst: boolean;
  /** The last message time before the turn, in ms. */
  updatedBefore: number;
}

type TurnRow = {
  id: string;
  kind: Turn['kind'];
  character_id: string;
  user_message_id: string | null;
  reply_id: string;
  version_id: string;
  previous_version_id: string | null;
  base_length: number;
  head: number;
  payer_id: string;
  error_code: string | null;
};

/** A conversation's turns, pending settlements and assist results. */
export class TurnStore {
  readonly #sql: SqlStorage;
  readonly #store: ConversationStore;
  /** The latest answer of `get`, which a turn asks for several times before it begins; null after a change. */
  #latest: { id: string; turn: Turn | null } | null = null;

  constructor(sql: SqlStorage, store: ConversationStore) {
    this.#sql = sql;
    this.#store = store;
  }

  add(turn: OpenTurn): void {
    this.#latest = null;
    this.#sql.exec(
      `insert into turns (id, kind, character_id, user_message_id, reply_id, version_id, previous_version_id, base_length, head, payer_id)
       values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
      turn.id,
      turn.kind,
      turn.characterId,
      turn.userMessageId,
      turn.replyId,
      turn.versionId,
      turn.previousVersionId,
      turn.baseLength,
      turn.head,
      turn.payerId,
    );
    this.#store.setOpenTurn(turn);
  }

  get(id: string): Turn | null {
    if (this.#latest?.id !== id) this.#latest = { id, turn: this.#find(id) };
    return this.#latest.turn;
  }

  #find(id: string): Turn | null {
    const open = this.#store.getOpenTurn();
    if (open?.id === id) return toOpen(open);
    const [row] = this.#sql.exec<TurnRow>('select * from turns where id = ?', id).toArray();
    return row === undefined ? null : toTurn(row);
  }

  /**
   * Whether a turn of this conversation wrote the version; imports, branches and edits have others. Reads all turns: an
   * index would cost every turn a row, and ratings are rare.
   */
  hasWritten(versionId: string): boolean {
    return this.#sql.exec('select 1 from turns where version_id = ? limit 1', versionId).toArray().length > 0;
  }

  getOpen(): OpenTurn | null {
    return this.#store.getOpenTurn();
  }

  /** @param end.head how many event numbers precede the text's; it has grown if the text began again */
  setEnded({ id, head }: OpenTurn, end: { errorCode: string | null; head: number }): void {
    this.#latest = null;
    if (end.errorCode !== null || end.head !== head)
      this.#sql.exec('update turns set error_code = ?, head = ? where id = ?', end.errorCode, end.head, id);
    this.#store.setOpenTurn(null);
  }

  remove(id: string): void {
    this.#latest = null;
    this.#sql.exec('delete from turns where id = ?', id);
    this.#store.setOpenTurn(null);
  }

  // ── pending settlements ──

  addSettlement({ versionId, payerId, replyId, outcome, what }: Settlement): void {
    const others = this.#store.listSettlements().filter((one) => one.versionId !== versionId);
    this.#store.setSettlements([...others, { versionId, payerId, replyId, outcome, what }]);
  }

  settlements(): Settlement[] {
    return this.#store.listSettlements();
  }

  // ── assist results ──

  /** Returns the result of an assist request as JSON text; null when the id is unknown. */
  asked(id: string): string | null {
    return (
      this.#sql.exec<{ body: string }>('select body from asks where id = ?', id).toArray()[0]?.body ?? null
    );
  }

  /** Lists the saved results, oldest first. */
  keptAsks(): KeptAsk[] {
    return this.#sql
      .exec<{ kind: KeptAsk['kind']; body: string; made_at: number }>(
        'select kind, body, made_at from asks order by rowid',
      )
      .toArray()
      .map(({ kind, body, made_at }) => ({
        kind,
        texts: JSON.parse(body) as string[],
        made_at: new Date(made_at).toISOString(),
      }));
  }

  /** Saves a result for retries; only the newest few are kept. */
  keepAsked(id: string, kind: 'suggestions' | 'draft', body: string, now: number): void {
    this.#sql.exec('insert into asks (id, kind, body, made_at) values (?, ?, ?, ?)', id, kind, body, now);
    this.#sql.exec(
      `delete from asks where rowid not in (select rowid from asks order by rowid desc limit ${ASKS_KEPT})`,
    );
  }
}

const toOpen = (turn: OpenTurn): Turn => ({ ...turn, ended: false, errorCode: null });

/** A turn that has ended. */
const toTurn = (row: TurnRow): Turn => ({
  id: row.id,
  kind: row.kind,
  characterId: row.character_id,
  userMessageId: row.user_message_id,
  replyId: row.reply_id,
  versionId: row.version_id,
  previousVersionId: row.previous_version_id,
  baseLength: row.base_length,
  head: row.head,
  payerId: row.payer_id,
  ended: true,
  errorCode: row.error_code,
});
