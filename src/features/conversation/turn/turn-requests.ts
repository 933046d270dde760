import type { ChosenModel } from '../../model/choose-model.ts';
import type { ModelChoice } from '../../model/contract.ts';
import { type Access, type AccessRefusal, isSameAccess } from '../access/access.ts';
import { SPICY_MODE_OFF, CHARACTER_DELETED, isCharacterDeleted } from '../character/character-state.ts';
import type { ConversationParts } from '../compose-conversation.ts';
import type { Crisis } from '../moderation/crisis-help.ts';
import {
  type CreateAppealToken,
  moderateMessage,
  moderateReplyRequest,
  NOTHING_UNSCREENED,
  type ReplyRequest,
  startAnswer,
  withHelp,
} from '../moderation/moderate-turn.ts';
import { beginSend } from './turn-rows.ts';
import {
  ACCESS_CHANGED,
  type AccessChanged,
  type BegunTurn,
  type SendRequest,
  type TurnRefusal,
  type TurnRequest,
  type TurnResult,
} from './turn-port.ts';

/** An attempt to start a turn. */
interface Attempt {
  parts: ConversationParts;
  access: Access;
  /** Why the caller may not write; null when they may. Absent when the access is verified already. */
  verification?: Promise<TurnRefusal | AccessRefusal | AccessChanged | null>;
}

type AttemptResult = TurnResult | AccessRefusal | AccessChanged;

export interface TurnRequestPorts {
  /** The conversation's parts without an access check; null when it does not exist. */
  getParts(): ConversationParts | null;
  /** The conversation's parts for its owner; null for everyone else, and while it is in the trash. */
  authorize(userId: string): Promise<ConversationParts | null>;
  /** Loads the long texts of the character, which prompts need, unless they are here. */
  loadCopy(parts: ConversationParts): Promise<void>;
  /** Reads in D1 whether the session is valid and what its user may write here. */
  readAccess(request: TurnRequest): Promise<{ ok: true; access: Access } | AccessRefusal>;
  /** Chooses the model that answers; null when it is not configured. */
  chooseModel(parts: ConversationParts, choice: ModelChoice, isMember: boolean): ChosenModel | null;
  createAppealToken(userId: string, ...refused: Parameters<CreateAppealToken>): Promise<string>;
  syncInBackground(parts: ConversationParts): void;
}

/**
 * Starts turns for callers whose session is not verified yet. What the latest turn of the same session was allowed is
 * assumed, and verified in D1 while the wallet is asked: one wait before the model. A turn whose access has changed since is
 * removed and begins again with the access as it is now. Only a new turn that nothing speaks against begins so; all other
 * requests wait for D1 first.
 */
export class TurnRequests {
  readonly #ports: TurnRequestPorts;

  constructor(ports: TurnRequestPorts) {
    this.#ports = ports;
  }

  /** Stores a message and starts its reply. The same turn id again rejoins the same reply. */
  send(request: SendRequest): Promise<TurnResult | AccessRefusal> {
    return this.#start(request, async (attempt) => {
      const { parts, access, verification } = attempt;
      const { turnId, content } = request;
      // Moderate a message before it is stored. A known turn was moderated the first time.
      const moderated = parts.engine.isNew(turnId)
        ? await moderateMessage(
            parts.judge,
            { turnId, content, rating: access.rating, region: getRegion(request, access) },
            (...refused) => this.#ports.createAppealToken(access.userId, ...refused),
          )
        : null;
      const { crisis = null } = moderated ?? {};
      if (verification !== undefined && (moderated?.ok !== true || crisis !== null)) return ACCESS_CHANGED;
      this.#recordReferral(parts, turnId, crisis);
      const result =
        moderated?.ok === false
          ? moderated.result
          : await this.#begin(request, attempt, (model, now) =>
              beginSend(parts, { content, crisis }, model, now),
            );
      return this.#attachHelp(parts, result, crisis);
    });
  }

  /** Writes a reply to an existing message, or a new version of a reply. */
  reply(request: TurnRequest, how: ReplyRequest): Promise<TurnResult | AccessRefusal> {
    return this.#start(request, async (attempt) => {
      const { parts, access, verification } = attempt;
      const { turnId } = request;
      const unscreened = parts.engine.isNew(turnId)
        ? await moderateReplyRequest(
            parts,
            { turnId, rating: access.rating, region: getRegion(request, access) },
            how,
            (...refused) => this.#ports.createAppealToken(access.userId, ...refused),
          )
        : NOTHING_UNSCREENED;
      const { crisis, versionId } = unscreened;
      if (verification !== undefined && (!unscreened.ok || crisis !== null)) return ACCESS_CHANGED;
      if (crisis !== null && versionId !== null) parts.messages.markCrisis(versionId, crisis);
      this.#recordReferral(parts, turnId, crisis);
      const result = unscreened.ok
        ? await this.#begin(request, attempt, (model, now) => startAnswer(how, unscreened, parts, model, now))
        : unscreened.result;
      return this.#attachHelp(parts, result, crisis);
    });
  }

  async #start(
    request: TurnRequest,
    run: (attempt: Attempt) => Promise<AttemptResult>,
  ): Promise<TurnResult | AccessRefusal> {
    // Ask D1 before anything is written: what an object sends after a write waits until the write is confirmed.
    const reading = this.#ports.readAccess(request);
    reading.catch(() => {});
    // At the same time, so that a conversation that has just been loaded waits once.
    const known = this.#ports.getParts();
    if (known !== null) this.#ports.loadCopy(known).catch(() => {});
    const assumed = this.#assumeAccess(request);
    if (assumed !== null) {
      const { access } = assumed;
      const verification = reading.then((read) => {
        if (!read.ok) return read;
        return isSameAccess(read.access, access) ? null : ACCESS_CHANGED;
      });
      // A turn that is refused before it asks does not await it.
      verification.catch(() => {});
      const result = await run({ ...assumed, verification });
      if (!isAccessChanged(result)) return result;
    }
    const read = await reading;
    if (!read.ok) return read;
    const parts = await this.#ports.authorize(read.access.userId);
    if (parts === null) return NOT_FOUND;
    const result = await run({ parts, access: read.access });
    // It has joined a turn that another request was not allowed to begin.
    return isAccessChanged(result) ? this.#start(request, run) : result;
  }

  /** The access of the latest turn, if this request may start a new turn of the same session. */
  #assumeAccess({ sessionId, turnId }: TurnRequest): { parts: ConversationParts; access: Access } | null {
    const parts = this.#ports.getParts();
    const meta = parts?.store.getMeta() ?? null;
    if (parts === null || meta === null || meta.deletedAt !== null) return null;
    const access = parts.store.getAccess();
    const isSame = access?.sessionId === sessionId && access.userId === meta.ownerId;
    const isFree =
      parts.engine.isNew(turnId) &&
      parts.sync.listPendingSettlements().length === 0 &&
      parts.store.getMissingCopy() === null;
    return access !== null && isSame && isFree ? { parts, access } : null;
  }

  async #begin(
    request: TurnRequest,
    { parts, access, verification }: Attempt,
    begin: (model: ChosenModel, now: number) => BegunTurn | TurnRefusal,
  ): Promise<AttemptResult> {
    const model = this.#ports.chooseModel(parts, request.model, access.unlimited);
    // The conversation may have been erased, or moved to the trash, while a text was moderated.
    const isHere = this.#ports.getParts() === parts && parts.store.getMeta()?.deletedAt === null;
    if (verification !== undefined && (!isHere || model === null || !parts.engine.isNew(request.turnId)))
      return ACCESS_CHANGED;
    if (!isHere) return NOT_FOUND;
    return parts.engine.begin(
      { ...request, access, model, region: getRegion(request, access), verification: verification ?? null },
      (chosen, now) => {
        const begun = getWriteRefusal(parts, access) ?? begin(chosen, now);
        return verification === undefined || 'rows' in begun ? begun : ACCESS_CHANGED;
      },
    );
  }

  /** Counts that the user was shown crisis help, unless the conversation was erased during moderation. */
  #recordReferral(parts: ConversationParts, turnId: string, crisis: Crisis | null): void {
    if (crisis !== null && this.#ports.getParts() === parts)
      parts.referrals.add(turnId, crisis.kind, Date.now());
  }

  /** Adds crisis help to a refused turn. Without a running turn, whose end would sync the count, sync it now. */
  #attachHelp(parts: ConversationParts, result: AttemptResult, crisis: Crisis | null): AttemptResult {
    const isHere = this.#ports.getParts() === parts;
    if (crisis !== null && isHere && !parts.engine.isBusy) this.#ports.syncInBackground(parts);
    return withHelp(result, crisis);
  }
}

const NOT_FOUND = { ok: false, code: 'not_found' } as const;

const isAccessChanged = (result: AttemptResult): result is AccessChanged =>
  !result.ok && result.code === 'access_changed';

/** Why nothing may be written in the conversation; null when it may. */
function getWriteRefusal(parts: ConversationParts, { writeBlock, rating }: Access): TurnRefusal | null {
  if (isCharacterDeleted(parts)) return CHARACTER_DELETED;
  if (writeBlock !== null) return writeBlock;
  return rating === 'blocked' ? SPICY_MODE_OFF : null;
}

/** Chooses the helplines, if the user needs them. */
const getRegion = ({ country, language }: TurnRequest, access: Access) => ({
  country,
  lang: access.language ?? language,
});
