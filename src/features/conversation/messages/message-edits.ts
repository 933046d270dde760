import { MAX_PINNED } from '../limits.ts';
import type { CrisisKind } from '../../safety/decisions.ts';
import type { Message, TrashItem } from '../contract.ts';
import type { Crisis } from '../moderation/crisis-help.ts';
import type { ConversationStore, Meta, PersonaSnapshot } from '../conversation-store.ts';
import type { MessageStore } from './message-store.ts';
import type { MessageTrash } from './message-trash.ts';
import { fillNames, namesOf, personName } from '../conversation-names.ts';
import { hasRoomForMessages, hasRoomForVersion } from '../message-limits.ts';

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
  pinsFit(): boolean;
  /** Has it counted that the person of a message was shown where help is. */
  refer(messageId: string, kind: CrisisKind, now: number): void;
  /** A new id of that time. */
  newId(now: number): string;
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
    const found = this.#free(messageId);
    if (!found.ok) return found;
    const { message } = found;
    if (message.content === content) return { ok: true, message };
    if (!hasRoomForVersion(message.versions)) return { ok: false, code: 'version_limit' };
    const shown = message.versions.find(({ id }) => id === message.selected_version_id);
    const versionId = this.#ports.newId(now);
    // A message is counted once, whatever it is changed into.
    const referred = crisis === null || this.#messages.showedCrisis(messageId);
    return this.#write(messageId, () => {
      if (!referred) this.#ports.refer(messageId, crisis.kind, now);
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
  select(messageId: string, versionId: string): { ok: true; message: Message } | EditRefusal {
    const found = this.#free(messageId);
    if (!found.ok) return found;
    const version = this.#messages.version(messageId, versionId);
    if (version === null) return { ok: false, code: 'not_found' };
    if (version.status === 'streaming') return { ok: false, code: 'version_unfinished' };
    if (found.message.selected_version_id === versionId) return { ok: true, message: found.message };
    return this.#write(messageId, () => this.#messages.selectVersion(messageId, versionId));
  }

  /** Puts a message and everything after it into the trash. */
  deleteFrom(messageId: string, now: number): { ok: true; trashed: TrashItem } | EditRefusal {
    const ids = this.#trash.tail(messageId);
    if (ids.length === 0) return { ok: false, code: 'not_found' };
    if (ids.some((id) => this.#ports.isWriting(id))) return { ok: false, code: 'reply_in_progress' };
    const trashed = this.#ports.atomically(() => {
      // A notice that nobody sees any more has not been given.
      if (this.#trash.isNoticed(messageId)) this.#store.setNoticed(null);
      const item = this.#trash.putTail(this.#ports.newId(now), messageId, ids.length, now);
      this.#store.indexStale();
      this.#messages.changed(ids);
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
      const { messageCount } = this.#store.meta() as Meta;
      if (!hasRoomForMessages(messageCount, this.#trash.size(trashId)))
        return { ok: false, code: 'conversation_full' } as const;
      const messageIds = this.#trash.restore(trashId);
      if (messageIds === null) return { ok: false, code: 'not_found' } as const;
      this.#store.indexStale();
      this.#messages.changed(messageIds);
      return { ok: true, messageIds, unpinnedIds: this.#messages.dropSurplusPins() } as const;
    });
  }

  /** Keeps a message in the prompt however long ago it was, or no longer. */
  pin(messageId: string, pinned: boolean): { ok: true; message: Message } | PinRefusal {
    const message = this.#messages.message(messageId);
    if (message === null) return { ok: false, code: 'not_found' };
    if (message.pinned === pinned) return { ok: true, message };
    if (pinned && this.#messages.pinnedCount() >= MAX_PINNED)
      return { ok: false, code: 'pin_limit', limit: MAX_PINNED };
    this.#messages.setPinned(messageId, pinned);
    if (pinned && !this.#ports.pinsFit()) {
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
    const isLetGo = persona === null && this.#store.meta()?.persona != null;
    const begun = isLetGo ? this.#messages.everBegan() : this.#messages.hasBegun();
    if (!begun) return { ok: false, code: 'conversation_not_started' };
    this.takePersona(persona);
    return { ok: true };
  }

  /** The persona as it is by now. */
  takePersona(persona: PersonaSnapshot | null): void {
    this.#ports.atomically(() => {
      const before = this.#store.meta() as Meta;
      this.#store.setPersona(persona);
      const meta = { ...before, persona };
      if (personName(before) === personName(meta)) return;
      const names = namesOf(meta);
      const filled = this.#messages.templates();
      for (const { versionId, template } of filled)
        this.#messages.saveText(versionId, fillNames(template, names));
      this.#messages.changed(filled.map(({ messageId }) => messageId));
      this.#store.queueNamedForSearch();
    });
  }

  #free(messageId: string): { ok: true; message: Message } | EditRefusal {
    const message = this.#messages.message(messageId);
    if (message === null) return { ok: false, code: 'not_found' };
    if (this.#ports.isWriting(messageId)) return { ok: false, code: 'reply_in_progress' };
    return { ok: true, message };
  }

  #write(messageId: string, write: () => void): { ok: true; message: Message } {
    this.#ports.atomically(() => {
      write();
      this.#messages.changed([messageId]);
    });
    return { ok: true, message: this.#messages.message(messageId) as Message };
  }
}
