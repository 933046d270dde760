import { MAX_PINNED } from '../limits.ts';
import type { CrisisKind } from '../../safety/decisions.ts';
import type { Message, TrashItem } from '../contract.ts';
import type { Crisis } from '../moderation/crisis-help.ts';
import type { ConversationStore, ConversationMeta, PersonaSnapshot } from '../conversation-store.ts';
import type { MessageStore } from './message-store.ts';
import type { MessageTrash } from './message-trash.ts';
import { replaceMacros, getMacroNames, getPersonName } from '../macro-names.ts';
import { canAddMessages, canAddVersion } from '../message-limits.ts';

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
  | { ok: false; code: 'pins_full' };

export interface EditPorts {
  /** Writes all or, when something throws, nothing. */
  atomically<T>(write: () => T): T;
  /** Whether this very reply is being written: it then belongs to its turn alone. */
  isWriting(messageId: string): boolean;
  /** Whether a model can be told all that is pinned by now. */
  canFitPins(): boolean;
  /** Has it counted that the person of a message was shown where help is. */
  recordReferral(messageId: string, kind: CrisisKind, now: number): void;
  /** A new id of that time. */
  createId(now: number): string;
}

/**
 * What a person does to messages that are there. Nothing is destroyed: an edit is a new version, a deletion can be had
 * back, and the messages around stay where they are. Everything is decided and written without a pause.
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

  /** Writes a new version over the one that shows; the same text again changes nothing. */
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
    const versionId = this.#ports.createId(now);
    // A message is counted once, whatever it is changed into.
    const isReferred = crisis === null || this.#messages.showedCrisis(messageId);
    return this.#write(messageId, () => {
      if (!isReferred) this.#ports.recordReferral(messageId, crisis.kind, now);
      this.#messages.addVersion({
        id: versionId,
        messageId,
        status: 'complete',
        content,
        // A reply that a person mended is still written by a model, and marked as such wherever it goes.
        model: shown?.model ?? null,
        edited: true,
        crisis,
        now,
      });
      this.#messages.selectVersion(messageId, versionId);
    });
  }

  /** Shows another version that is finished. */
  selectVersion(messageId: string, versionId: string): { ok: true; message: Message } | EditRefusal {
    const found = this.#findEditable(messageId);
    if (!found.ok) return found;
    const version = this.#messages.findVersion(messageId, versionId);
    if (version === null) return { ok: false, code: 'not_found' };
    if (version.status === 'streaming') return { ok: false, code: 'version_unfinished' };
    if (found.message.selected_version_id === versionId) return { ok: true, message: found.message };
    return this.#write(messageId, () => this.#messages.selectVersion(messageId, versionId));
  }

  /** Puts a message and everything after it into the trash. */
  deleteFrom(messageId: string, now: number): { ok: true; trashed: TrashItem } | EditRefusal {
    const ids = this.#trash.listTailIds(messageId);
    if (ids.length === 0) return { ok: false, code: 'not_found' };
    if (ids.some((id) => this.#ports.isWriting(id))) return { ok: false, code: 'reply_in_progress' };
    const trashed = this.#ports.atomically(() => {
      // A notice that nobody sees any more has not been given.
      if (this.#trash.hasNotice(messageId)) this.#store.setNoticedAt(null);
      const item = this.#trash.trashTail(this.#ports.createId(now), messageId, ids.length, now);
      this.#store.markListRowStale();
      this.#messages.notifyChanged(ids);
      return item;
    });
    return { ok: true, trashed };
  }

  /**
   * Gives a deletion back: its messages stand where they stood, and what was said since stays. Of more pins than there
   * may be by now, the newest stay.
   */
  restore(trashId: string): { ok: true; messageIds: string[]; unpinnedIds: string[] } | EditRefusal {
    return this.#ports.atomically(() => {
      const { messageCount } = this.#store.getMeta() as ConversationMeta;
      if (!canAddMessages(messageCount, this.#trash.countMessages(trashId)))
        return { ok: false, code: 'conversation_full' } as const;
      const messageIds = this.#trash.restore(trashId);
      if (messageIds === null) return { ok: false, code: 'not_found' } as const;
      this.#store.markListRowStale();
      this.#messages.notifyChanged(messageIds);
      return { ok: true, messageIds, unpinnedIds: this.#messages.removeSurplusPins() } as const;
    });
  }

  /** Keeps a message in the prompt however long ago it was, or no longer. */
  pin(messageId: string, pinned: boolean): { ok: true; message: Message } | PinRefusal {
    const message = this.#messages.findMessage(messageId);
    if (message === null) return { ok: false, code: 'not_found' };
    if (message.pinned === pinned) return { ok: true, message };
    if (pinned && this.#messages.countPinned() >= MAX_PINNED)
      return { ok: false, code: 'pin_limit', limit: MAX_PINNED };
    this.#messages.setPinned(messageId, pinned);
    if (pinned && !this.#ports.canFitPins()) {
      this.#messages.setPinned(messageId, false);
      return { ok: false, code: 'pins_full' };
    }
    return { ok: true, message: { ...message, pinned } };
  }

  /**
   * Who the person is from now on. What its opening calls them follows; what was said since keeps its words. Nothing is
   * chosen or let go before something has been said; one that is there can be let go also when that was deleted since.
   */
  setPersona(persona: PersonaSnapshot | null): { ok: true } | EditRefusal {
    const isRemoved = persona === null && this.#store.getMeta()?.persona != null;
    const hasStarted = isRemoved ? this.#messages.hasEverHadUserMessage() : this.#messages.hasUserMessage();
    if (!hasStarted) return { ok: false, code: 'conversation_not_started' };
    this.updatePersona(persona);
    return { ok: true };
  }

  /** The persona as it is by now. */
  updatePersona(persona: PersonaSnapshot | null): void {
    this.#ports.atomically(() => {
      const before = this.#store.getMeta() as ConversationMeta;
      this.#store.setPersona(persona);
      const meta = { ...before, persona };
      if (getPersonName(before) === getPersonName(meta)) return;
      const names = getMacroNames(meta);
      const filled = this.#messages.listTemplates();
      for (const { versionId, template } of filled)
        this.#messages.saveText(versionId, replaceMacros(template, names));
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
