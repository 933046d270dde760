import type { Message, MessageStatus, TrashList } from '../../src/features/conversation/contract.ts';

/** A model of a conversation's rules without storage. */

interface ModelVersion {
  id: string;
  content: string;
  model: string | null;
  edited: boolean;
  status: MessageStatus;
}

export interface MessageState {
  id: string;
  role: 'user' | 'character';
  /** Oldest first. */
  versions: ModelVersion[];
  selected: string;
  pinned: boolean;
  /** The deletion that contains it; null if it is not deleted. */
  trash: string | null;
}

/** The version that a turn writes. */
export interface RunningTurn {
  messageId: string;
  versionId: string;
  /** The text shown before; null for the first text of a reply. */
  previous: string | null;
  base: string;
}

/** How the model's writing ended: complete, stopped by the reader, lost with the server, or failed. */
export type Ending = 'finished' | 'stopped' | 'lost' | 'failed';

/** The fields of a message that must match the model. */
const toComparable = (messages: readonly Message[]) =>
  messages.map(({ id, role, content, edited, pinned, status, versions, selected_version_id: selected }) => ({
    id,
    role,
    content,
    edited,
    pinned,
    status,
    selected,
    versions: versions.map((version) => ({
      id: version.id,
      content: version.content,
      model: version.model,
      edited: version.edited,
    })),
  }));

export class ConversationModel {
  /** All messages in order, including deleted ones. */
  #all: MessageState[];

  constructor(all: MessageState[] = []) {
    this.#all = all;
  }

  /** The state of a new conversation. */
  static fromOpening(opening: readonly Message[]): ConversationModel {
    return new ConversationModel(
      opening.map(({ id, role, content, selected_version_id: selected }) => ({
        id,
        role,
        versions: [{ id: selected, content, model: null, edited: false, status: 'complete' as const }],
        selected,
        pinned: false,
        trash: null,
      })),
    );
  }

  get presentMessages(): MessageState[] {
    return this.#all.filter(({ trash }) => trash === null);
  }

  /** The replies that are not deleted. */
  get replies(): MessageState[] {
    return this.presentMessages.filter(({ role }) => role === 'character');
  }

  get trash(): string[] {
    return [...new Set(this.#all.flatMap(({ trash }) => trash ?? []))];
  }

  get pinnedCount(): number {
    return this.presentMessages.filter(({ pinned }) => pinned).length;
  }

  #message(id: string): MessageState {
    const message = this.#all.find((one) => one.id === id);
    if (message === undefined) throw new Error(`the model knows no message ${id}`);
    return message;
  }

  getSelectedVersion(message: MessageState): ModelVersion {
    const version = message.versions.find(({ id }) => id === message.selected);
    if (version === undefined) throw new Error(`message ${message.id} shows no version`);
    return version;
  }

  /** The user's last text before a message. */
  getPreviousUserText(messageId: string): string {
    const before = this.presentMessages.slice(
      0,
      this.presentMessages.findIndex(({ id }) => id === messageId),
    );
    const last = before.findLast(({ role }) => role === 'user');
    return last === undefined ? '' : this.getSelectedVersion(last).content;
  }

  // ── actions ──

  startSend(
    mine: { id: string; versionId: string; text: string },
    reply: { id: string; versionId: string },
    model: string,
  ): RunningTurn {
    this.#all.push(
      {
        id: mine.id,
        role: 'user',
        versions: [
          { id: mine.versionId, content: mine.text, model: null, edited: false, status: 'complete' },
        ],
        selected: mine.versionId,
        pinned: false,
        trash: null,
      },
      {
        id: reply.id,
        role: 'character',
        versions: [{ id: reply.versionId, content: '', model, edited: false, status: 'streaming' }],
        selected: reply.versionId,
        pinned: false,
        trash: null,
      },
    );
    return { messageId: reply.id, versionId: reply.versionId, previous: null, base: '' };
  }

  /** Starts a regeneration or a continuation of a reply. */
  startRewrite(
    how: 'regenerate' | 'continue',
    messageId: string,
    versionId: string,
    model: string,
  ): RunningTurn {
    const message = this.#message(messageId);
    const previous = message.selected;
    const base = how === 'continue' ? this.getSelectedVersion(message).content : '';
    message.versions.push({ id: versionId, content: base, model, edited: false, status: 'streaming' });
    message.selected = versionId;
    return { messageId, versionId, previous, base };
  }

  /** @returns whether it costs a message */
  endTurn({ messageId, versionId, previous, base }: RunningTurn, text: string, ending: Ending): boolean {
    const message = this.#message(messageId);
    const version = message.versions.find(({ id }) => id === versionId) as ModelVersion;
    const before = message.versions.find(({ id }) => id === previous);
    version.content = base + text;
    version.status =
      ending === 'finished' && text !== ''
        ? 'complete'
        : ending !== 'stopped' && ending !== 'lost' && text === ''
          ? 'failed'
          : 'interrupted';
    if (text === '' && before !== undefined && before.content !== '') {
      // Nothing was written, so the previous text shows again.
      message.selected = before.id;
      message.versions = message.versions.filter(({ id }) => id !== versionId);
    } else {
      // A version without text is dropped when the message has another one.
      message.versions = message.versions.filter(({ id, content }) => id === versionId || content !== '');
    }
    return text !== '' && (ending === 'finished' || ending === 'stopped');
  }

  edit(messageId: string, versionId: string, text: string): void {
    const message = this.#message(messageId);
    const shown = this.getSelectedVersion(message);
    if (shown.content === text) return;
    message.versions.push({
      id: versionId,
      content: text,
      model: shown.model,
      edited: true,
      status: 'complete',
    });
    message.selected = versionId;
  }

  select(messageId: string, versionId: string): void {
    this.#message(messageId).selected = versionId;
  }

  pin(messageId: string, pinned: boolean): void {
    this.#message(messageId).pinned = pinned;
  }

  discard(messageId: string, trashId: string): void {
    const { presentMessages: there } = this;
    for (const message of there.slice(there.findIndex(({ id }) => id === messageId))) message.trash = trashId;
  }

  /** @returns the restored messages */
  restore(trashId: string): string[] {
    const back = this.#all.filter(({ trash }) => trash === trashId);
    for (const message of back) message.trash = null;
    return back.map(({ id }) => id);
  }

  fork(messageId: string): ConversationModel {
    const { presentMessages: there } = this;
    const upTo = there.slice(0, there.findIndex(({ id }) => id === messageId) + 1);
    return new ConversationModel(structuredClone(upTo));
  }

  // ── views ──

  /** The expected messages of a reader. */
  view() {
    return this.presentMessages.map((message) => {
      const shown = this.getSelectedVersion(message);
      return {
        id: message.id,
        role: message.role,
        content: shown.content,
        edited: shown.edited,
        pinned: message.pinned,
        status: shown.status,
        selected: message.selected,
        versions: message.versions.map(({ id, content, model, edited }) => ({ id, content, model, edited })),
      };
    });
  }

  /** The part of the API's answer that must equal `view`. */
  static toView(messages: readonly Message[]) {
    return toComparable(messages);
  }

  /** The expected trash, by id. */
  trashView(): { id: string; message_count: number; first: { role: string; excerpt: string } }[] {
    return this.trash.toSorted().map((id) => {
      const [first, ...rest] = this.#all.filter(({ trash }) => trash === id) as [
        MessageState,
        ...MessageState[],
      ];
      const excerpt = [...this.getSelectedVersion(first).content].slice(0, 120).join('');
      return { id, message_count: rest.length + 1, first: { role: first.role, excerpt } };
    });
  }

  static toTrashView({ items }: TrashList) {
    return items
      .map(({ id, message_count, first_message: first }) => ({ id, message_count, first }))
      .toSorted((a, b) => (a.id < b.id ? -1 : 1));
  }
}
