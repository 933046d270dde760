import type { LiveEvent, Message, ReplyEvent } from '../../src/features/conversation/contract.ts';
import type { FollowedEvent } from '../../src/features/conversation/messages/reply-view.ts';
import type { HistoryPosition } from '../../src/islands/shared/chat-api.ts';
import { AT, SAMPLE_CONVERSATION, createMessage, createFailure } from './chat-fixture.ts';
import { getHistoryPage } from './history-pages.ts';

/** A listener to the events of a reply. */
export type EventListener = (event: FollowedEvent | 'end') => void;

interface RunningTurn {
  turnId: string;
  replyId: string;
  versionId: string;
  base: string;
  text: string;
  lines: Set<EventListener>;
}

/** Who acted: a tab receives no hint about its own action. */
export type Actor = 'tab' | 'other';

const PAGE_SIZE = 6;

/** A conversation on the server, as a model of its rules. */
export class ConversationServer {
  messages: Message[];
  title: string | null = null;
  writing: RunningTurn | null = null;
  readonly trash: { id: string; messages: Message[] }[] = [];
  /** The position of every message ever sent, by id; restored messages return to it. */
  readonly #places = new Map<string, number>();
  readonly #turns = new Map<string, { userId: string | null; replyId: string }>();
  readonly #broadcast: (hint: LiveEvent) => void;
  #ids = 0;
  #sentEvents = 0;

  constructor(messages: Message[], broadcast: (hint: LiveEvent) => void) {
    this.messages = messages;
    this.#broadcast = broadcast;
    for (const one of messages) this.#places.set(one.id, this.#places.size);
  }

  get revision(): string {
    return `life:${this.#sentEvents}`;
  }

  get conversation() {
    return { ...SAMPLE_CONVERSATION, title: this.title, message_count: this.messages.length };
  }

  page(place: HistoryPosition | undefined, limit = PAGE_SIZE) {
    const found = getHistoryPage(this.messages, place, limit);
    if (found === null) return createFailure(404, 'not_found');
    const data = { conversation: this.conversation, ...found, revision: this.revision };
    return { ok: true, data } as const;
  }

  // ── turns ──

  send(who: Actor, turnId: string, content: string, line: EventListener | null) {
    return this.#startTurn(who, turnId, line, () => {
      const sent = createMessage(this.#createId('u'), { role: 'user', content, client_message_id: turnId });
      const reply = createMessage(this.#createId('r'), { status: 'streaming' });
      this.messages = [...this.messages, sent, reply];
      for (const one of [sent, reply]) this.#places.set(one.id, this.#places.size);
      return { userId: sent.id, replyId: reply.id, base: '' };
    });
  }

  rewrite(
    who: Actor,
    kind: 'regenerate' | 'continue',
    turnId: string,
    replyId: string,
    line: EventListener | null,
  ) {
    const reply = this.#find(replyId);
    if (reply?.role !== 'character') return createFailure(404, 'not_found');
    return this.#startTurn(who, turnId, line, () => {
      const base = kind === 'continue' ? reply.content : '';
      const version = {
        ...reply.versions[0],
        id: this.#createId('v'),
        content: base,
      } as Message['versions'][number];
      this.#replaceMessage({
        ...reply,
        content: base,
        status: 'streaming',
        versions: [...reply.versions, version],
        selected_version_id: version.id,
      });
      return { userId: null, replyId, base };
    });
  }

  #startTurn(
    who: Actor,
    turnId: string,
    line: EventListener | null,
    begin: () => { userId: string | null; replyId: string; base: string },
  ) {
    const known = this.#turns.get(turnId);
    if (known) return this.#repeatTurn(turnId, known, line);
    if (this.writing) return createFailure(409, 'reply_in_progress');
    const { userId, replyId, base } = begin();
    this.#turns.set(turnId, { userId, replyId });
    const versionId = this.#find(replyId)?.selected_version_id ?? '';
    this.writing = { turnId, replyId, versionId, base, text: '', lines: new Set(line ? [line] : []) };
    line?.(this.#createAcceptedEvent(turnId, userId, replyId, base));
    this.#sendHint({ type: 'turn', reply_id: replyId }, who);
    return { ok: true } as const;
  }

  #repeatTurn(
    turnId: string,
    { userId, replyId }: { userId: string | null; replyId: string },
    line: EventListener | null,
  ) {
    if (this.writing?.turnId === turnId) return this.join(null, line);
    const reply = this.#find(replyId);
    if (!reply || (userId !== null && !this.#find(userId))) return createFailure(409, 'message_deleted');
    line?.(this.#createAcceptedEvent(turnId, userId, replyId, ''));
    line?.({ id: `${turnId}:${reply.content.length + 1}`, event: { event: 'done', reply, points: null } });
    line?.('end');
    return { ok: true } as const;
  }

  /** Joins the running reply after the last seen event. */
  join(lastEventId: string | null, line: EventListener | null) {
    const { writing } = this;
    if (!writing) return { ok: true, none: true } as const;
    const { turnId, replyId, text, base, lines } = writing;
    const seen = lastEventId?.startsWith(`${turnId}:`) ? Number(lastEventId.split(':')[1]) : null;
    if (seen === null)
      line?.(this.#createAcceptedEvent(turnId, this.#turns.get(turnId)?.userId ?? null, replyId, base));
    if (text.length > (seen ?? 0))
      line?.({ id: `${turnId}:${text.length}`, event: { event: 'delta', text: text.slice(seen ?? 0) } });
    if (line) lines.add(line);
    return { ok: true } as const;
  }

  #createAcceptedEvent(turnId: string, userId: string | null, replyId: string, base: string): FollowedEvent {
    const reply = { ...(this.#find(replyId) as Message), content: base, status: 'streaming' } as const;
    const event: ReplyEvent = {
      event: 'accepted',
      ...(userId === null ? {} : { user_message: this.#find(userId) as Message }),
      reply,
      newest: this.messages.at(-1)?.id === replyId,
    };
    return { id: `${turnId}:0`, event };
  }

  /** Adds text to the running reply. */
  appendText(text: string): void {
    const { writing } = this;
    if (!writing) return;
    writing.text += text;
    const id = `${writing.turnId}:${writing.text.length}`;
    this.#putText(writing, 'streaming');
    for (const line of writing.lines) line({ id, event: { event: 'delta', text } });
  }

  /** Ends the running reply. */
  endTurn(): void {
    const { writing } = this;
    if (!writing) return;
    this.#putText(writing, 'complete');
    this.writing = null;
    const reply = this.#find(writing.replyId) as Message;
    const id = `${writing.turnId}:${writing.text.length + 1}`;
    for (const line of writing.lines) {
      line({ id, event: { event: 'done', reply, points: null } });
      line('end');
    }
  }

  #putText({ replyId, versionId, base, text }: RunningTurn, status: Message['status']): void {
    const reply = this.#find(replyId) as Message;
    const content = base + text;
    const versions = reply.versions.map((one) => (one.id === versionId ? { ...one, content } : one));
    this.#replaceMessage({ ...reply, content, status, versions });
  }

  // ── changes ──

  edit(who: Actor, id: string, content: string) {
    return this.#change(who, id, (one) => {
      const version = { id: this.#createId('v'), content, model: null, created_at: AT, edited: true };
      const versions = [...one.versions, version];
      return { ...one, content, edited: true, versions, selected_version_id: version.id };
    });
  }

  select(who: Actor, id: string, versionId: string) {
    return this.#change(who, id, (one) => {
      const version = one.versions.find((other) => other.id === versionId);
      return version ? { ...one, content: version.content, selected_version_id: versionId } : one;
    });
  }

  pin(who: Actor, id: string, pinned: boolean) {
    return this.#change(who, id, (one) => ({ ...one, pinned }), true);
  }

  #change(who: Actor, id: string, change: (one: Message) => Message, whileWriting = false) {
    const found = this.#find(id);
    if (!found) return createFailure(404, 'not_found');
    if (found.status === 'streaming' && !whileWriting) return createFailure(409, 'reply_in_progress');
    const changed = change(found);
    this.#replaceMessage(changed);
    this.#sendHint({ type: 'changed', message_ids: [id] }, who);
    return { ok: true, data: changed } as const;
  }

  remove(who: Actor, id: string) {
    const index = this.messages.findIndex((one) => one.id === id);
    if (index === -1) return createFailure(404, 'not_found');
    const tail = this.messages.slice(index);
    if (tail.some(({ status }) => status === 'streaming')) return createFailure(409, 'reply_in_progress');
    const item = { id: this.#createId('t'), messages: tail };
    this.trash.push(item);
    this.messages = this.messages.slice(0, index);
    this.#sendHint({ type: 'changed', message_ids: [] }, who);
    return { ok: true, data: { id: item.id, message_count: tail.length } } as const;
  }

  restore(who: Actor, trashId: string) {
    const at = this.trash.findIndex(({ id }) => id === trashId);
    const [item] = at === -1 ? [] : this.trash.splice(at, 1);
    if (!item) return createFailure(404, 'not_found');
    const { messages } = item;
    const getPosition = ({ id }: Message) => this.#places.get(id) ?? 0;
    this.messages = [...this.messages, ...messages].toSorted((a, b) => getPosition(a) - getPosition(b));
    const ids = messages.map(({ id }) => id);
    this.#sendHint({ type: 'changed', message_ids: ids }, who);
    return { ok: true, data: { message_ids: ids } } as const;
  }

  rename(who: Actor, title: string) {
    this.title = title;
    this.#sendHint({ type: 'changed', message_ids: [] }, who);
    return { ok: true, data: this.conversation } as const;
  }

  #sendHint(hint: LiveEvent, who: Actor): void {
    this.#sentEvents += 1;
    if (who === 'other') this.#broadcast(hint);
  }

  #find(id: string): Message | undefined {
    return this.messages.find((one) => one.id === id);
  }

  #replaceMessage(changed: Message): void {
    this.messages = this.messages.map((one) => (one.id === changed.id ? changed : one));
  }

  #createId(kind: string): string {
    this.#ids += 1;
    return `${kind}${this.#ids}`;
  }
}
