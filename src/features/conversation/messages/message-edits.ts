import { MAX_PINNED } from '../limits.ts';
import type { CrisisKind } from '../../safety/decisions.ts';
import type { Message, ReplyRating, TrashItem } from '../contract.ts';
import { type Crisis, getUtcDay } from '../moderation/crisis-help.ts';
import type { ConversationStore, ConversationMeta, PersonaSnapshot } from '../conversation-store.ts';
import type { MessageStore } from './message-store.ts';
import type { MessageTrash } from './message-trash.ts';
import { replaceMacros, getMacroNames, getPersonName } from '../macro-names.ts';
import { canAddMessages, canAddVersion } from '../message-limits.ts';
import { diffRatings, MAX_RATING_CHANGES } from './rating-changes.ts';

export type EditRefusal = {
  ok: false;
  code:
    | 'not_found'
    | 'reply_in_progress'
    | 'version_unfinished'
    | 'version_limit'
    | 'conversation_full'
    | 'conversation_not_started';
};
export type PinRefusal =
  | EditRefusal
  | { ok: false; code: 'pin_limit'; limit: number }
  | { ok: false; code: 'pinned_budget_exceeded' };

export type RatingRefusal = {
  ok: false;
  code: 'not_found' | 'not_a_reply' | 'version_unfinished' | 'server_error';
};

export interface EditPorts {
  /** Runs the writes in one transaction. */
  atomically<T>(write: () => T): T;
  /** Whether the reply with this id is being written. Only its turn may change it then. */
  isWriting(messageId: string): boolean;
  /** Whether a turn of this conversation wrote the version. */
  hasWritten(versionId: string): boolean;
  /** Whether all pinned messages and user notes fit into a prompt. */
  canFitPins(): boolean;
  /** Counts that crisis help was shown for a message. */
  recordReferral(messageId: string, kind: CrisisKind, now: number): void;
  /** Creates an id that sorts by this time. */
  createId(now: number): string;
}

/**
 * The user's changes to existing messages. Nothing is destroyed: an edit is a new version, a deletion can be restored,
 * and other messages keep their positions. Every method is synchronous, so no other request runs in between.
 */
export class MessageEdits {
  readonly #store: ConversationStore;
  readonly #messages: MessageStore;
  readonly #trash: MessageTrash;
  readonly #ports: EditPorts;

  constructor(store: ConversationStore, messages: MessageStore, trash: MessageTrash, ports: EditPorts) {
    this.#store = store;
    this.#messages = messages;
    this.#trash = trash;
    this.#ports = ports;
  }

  /** Adds a new version with this text and selects it; the same text changes nothing. */
  edit(
    messageId: string,
    { content, crisis = null }: { content: string; crisis?: Crisis | null },
    now: number,
  ): { ok: true; message: Message } | EditRefusal {
    const found = this.#findEditable(messageId);
    if (!found.ok) return found;
    const { message } = found;
    if (message.content === content) return { ok: true, message };
    if (!canAddVersion(message.versions)) return { ok: false, code: 'version_limit' };
    const shown = message.versions.find(({ id }) => id === message.selected_version_id);
    // A referral is counted once per message, however often it is edited.
    const isReferred = crisis === null || this.#messages.showedCrisis(messageId);
    return this.#write(messageId, () => {
      if (!isReferred) this.#ports.recordReferral(messageId, crisis.kind, now);
      this.#messages.addVersion(messageId, {
        status: 'complete',
        content,
        // An edited reply keeps its model, so that it stays marked as AI-written, also in exports.
        model: shown?.model ?? null,
        edited: true,
        crisis,
        now,
      });
    });
  }

  /** Selects another version, which must be finished. */
  selectVersion(messageId: string, versionId: string): { ok: true; message: Message } | EditRefusal {
    const found = this.#findEditable(messageId);
    if (!found.ok) return found;
    const version = this.#messages.findVersion(messageId, versionId);
    if (version === null) return { ok: false, code: 'not_found' };
    if (version.status === 'streaming') return { ok: false, code: 'version_unfinished' };
    if (found.message.selected_version_id === versionId) return { ok: true, message: found.message };
    return this.#write(messageId, () => this.#messages.selectVersion(messageId, versionId));
  }

  /** Moves a message and all messages after it to the trash. */
  deleteFrom(messageId: string, now: number): { ok: true; trashed: TrashItem } | EditRefusal {
    const ids = this.#trash.listTailIds(messageId);
    if (ids.length === 0) return { ok: false, code: 'not_found' };
    if (ids.some((id) => this.#ports.isWriting(id))) return { ok: false, code: 'reply_in_progress' };
    const trashed = this.#ports.atomically(() => {
      // The deleted range contained an AI notice, so the user no longer sees one.
      if (this.#trash.hasNotice(messageId)) this.#store.setNoticedAt(null);
      const item = this.#trash.trashTail(this.#ports.createId(now), messageId, {
        count: ids.length,
        now,
        names: getMacroNames(this.#store.getMeta() as ConversationMeta),
      });
      this.#messages.notifyChanged(ids);
      // The model's title names what is gone.
      if (!this.#messages.hasUserMessage()) this.#store.setModelTitle(null);
      return item;
    });
    return { ok: true, trashed };
  }

  /**
   * Restores a deletion at its old position; messages sent since stay. If this exceeds the pin limit, the newest pins
   * stay.
   */
  restore(trashId: string): { ok: true; messageIds: string[]; unpinnedIds: string[] } | EditRefusal {
    return this.#ports.atomically(() => {
      const { messageCount } = this.#store.getMeta() as ConversationMeta;
      if (!canAddMessages(messageCount, this.#trash.countMessages(trashId)))
        return { ok: false, code: 'conversation_full' } as const;
      const messageIds = this.#trash.restore(trashId);
      if (messageIds === null) return { ok: false, code: 'not_found' } as const;
      this.#messages.notifyChanged(messageIds);
      return { ok: true, messageIds, unpinnedIds: this.#messages.removeSurplusPins() } as const;
    });
  }

  /** Pins a message, so that it stays in every prompt, or unpins it. */
  pin(messageId: string, pinned: boolean): { ok: true; message: Message } | PinRefusal {
    const message = this.#messages.findMessage(messageId);
    if (message === null) return { ok: false, code: 'not_found' };
    if (message.pinned === pinned) return { ok: true, message };
    if (pinned && this.#messages.countPinned() >= MAX_PINNED)
      return { ok: false, code: 'pin_limit', limit: MAX_PINNED };
    this.#messages.setPinned(messageId, pinned);
    if (pinned && !this.#ports.canFitPins()) {
      this.#messages.setPinned(messageId, false);
      return { ok: false, code: 'pinned_budget_exceeded' };
    }
    return { ok: true, message: { ...message, pinned } };
  }

  /**
   * Stores what the user thinks of a version that a model wrote; null takes it back. The totals count a version in the
   * conversation whose turn wrote it, and only there: branches and imports have copies of other versions.
   */
  rate(
    messageId: string,
    { versionId, rating }: { versionId: string; rating: ReplyRating | null },
  ): { ok: true; message: Message } | RatingRefusal {
    const found = this.#messages.findMessage(messageId);
    const version = this.#messages.findVersion(messageId, versionId);
    if (found === null || version === null) return { ok: false, code: 'not_found' };
    if (found.role !== 'character' || version.model === null) return { ok: false, code: 'not_a_reply' };
    if (version.status === 'streaming') return { ok: false, code: 'version_unfinished' };
    const before = version.rating ?? null;
    if (before === rating) return { ok: true, message: found };
    const { model } = version;
    const isCounted = this.#ports.hasWritten(versionId);
    if (isCounted && this.#store.listRatingChanges().length >= MAX_RATING_CHANGES)
      return { ok: false, code: 'server_error' };
    this.#ports.atomically(() => {
      this.#messages.setRating(versionId, rating);
      const day = getUtcDay(Date.parse(version.created_at));
      if (isCounted) this.#store.addRatingChange({ day, model, ...diffRatings(before, rating) });
    });
    return { ok: true, message: this.#messages.findMessage(messageId) as Message };
  }

  /**
   * Sets the user's persona. Greetings with macros get the new name; other messages keep their text. A persona can be set
   * once the user has sent a message. It can be removed also when those messages were deleted since.
   */
  setPersona(persona: PersonaSnapshot | null): { ok: true } | EditRefusal {
    const isRemoved = persona === null && this.#store.getMeta()?.persona != null;
    const hasStarted = this.#messages.hasUserMessage(isRemoved ? 'anywhere' : 'here');
    if (!hasStarted) return { ok: false, code: 'conversation_not_started' };
    this.updateNames({ persona });
    return { ok: true };
  }

  /** Stores the persona's current state, or the user's own name, and fills the name into texts with macros. */
  updateNames(change: Partial<Pick<ConversationMeta, 'persona' | 'userName'>>): void {
    this.#ports.atomically(() => {
      const before = this.#store.getMeta() as ConversationMeta;
      const meta = { ...before, ...change };
      if (change.persona !== undefined) this.#store.setPersona(meta.persona);
      if (meta.userName !== before.userName) this.#store.setUserName(meta.userName);
      if (getPersonName(before) === getPersonName(meta)) return;
      const names = getMacroNames(meta);
      const filled = this.#messages.listTemplates();
      for (const { versionId, template, createdAt } of filled)
        this.#messages.saveText(versionId, replaceMacros(template, { ...names, at: createdAt }));
      this.#messages.notifyChanged(filled.map(({ messageId }) => messageId));
      this.#store.queueNamedForSearch();
    });
  }

  #findEditable(messageId: string): { ok: true; message: Message } | EditRefusal {
    const message = this.#messages.findMessage(messageId);
    if (message === null) return { ok: false, code: 'not_found' };
    if (this.#ports.isWriting(messageId)) return { ok: false, code: 'reply_in_progress' };
    return { ok: true, message };
  }

  #write(messageId: string, write: () => void): { ok: true; message: Message } {
    this.#ports.atomically(() => {
      write();
      this.#messages.notifyChanged([messageId]);
    });
    return { ok: true, message: this.#messages.findMessage(messageId) as Message };
  }
}
