import type { LiveHint, Message, ReplyEvent } from '../../src/features/conversation/contract.ts';
import type { FollowedEvent } from '../../src/features/conversation/messages/reply-view.ts';
import type { HistoryPlace } from '../../src/islands/shared/chat-api.ts';
import { AT, conversation, message, refusal } from './chat-world.ts';
import { historyPage } from './history-pages.ts';

/** Somebody who follows a reply: what is told to them. */
export type Line = (event: FollowedEvent | 'end') => void;

interface Writing {
  turnId: string;
  replyId: string;
  versionId: string;
  base: string;
  text: string;
  lines: Set<Line>;
}

/** Who did something: the tab hears nothing of its own doing. */
export type Who = 'tab' | 'other';

const PAGE_SIZE = 6;

/** One conversation as the server keeps it: a plain model of its rules. */
export class StoryServer {
  messages: Message[];
  title: string | null = null;
  writing: Writing | null = null;
  readonly trash: { id: string; messages: Message[] }[] = [];
  /** What was ever said, by its id, in the order in which it was: it stands there also after it was had back. */
  readonly #places = new Map<string, number>();
  readonly #turns = new Map<string, { userId: string | null; replyId: string }>();
  readonly #tell: (hint: LiveHint) => void;
  #ids = 0;
  #told = 0;

  constructor(messages: Message[], tell: (hint: LiveHint) => void) {
    this.messages = messages;
    this.#tell = tell;
    for (const one of messages) this.#places.set(one.id, this.#places.size);
  }

  get revision(): string {
    return `life:${this.#told}`;
  }

  get conversation() {
    return { ...conversation, title: this.title, message_count: this.messages.length };
  }

  page(place: HistoryPlace | undefined, limit = PAGE_SIZE) {
    const found = historyPage(this.messages, place, limit);
    if (found === null) return refusal(404, 'not_found');
    const data = { conversation: this.conversation, ...found, revision: this.revision };
    return { ok: true, data } as const;
  }

  // ── turns ──

  send(who: Who, turnId: string, content: string, line: Line | null) {
    return this.#begin(who, turnId, line, () => {
      const sent = message(this.#id('u'), { role: 'user', content, client_message_id: turnId });
      const reply = message(this.#id('r'), { status: 'streaming' });
      this.messages = [...this.messages, sent, reply];
      for (const one of [sent, reply]) this.#places.set(one.id, this.#places.size);
      return { userId: sent.id, replyId: reply.id, base: '' };
    });
  }

  rewrite(who: Who, kind: 'regenerate' | 'continue', turnId: string, replyId: string, line: Line | null) {
    const reply = this.#find(replyId);
    if (reply?.role !== 'character') return refusal(404, 'not_found');
    return this.#begin(who, turnId, line, () => {
      const base = kind === 'continue' ? reply.content : '';
      const version = {
        ...reply.versions[0],
        id: this.#id('v'),
        content: base,
      } as Message['versions'][number];
      this.#put({
        ...reply,
        content: base,
        status: 'streaming',
        versions: [...reply.versions, version],
        selected_version_id: version.id,
      });
      return { userId: null, replyId, base };
    });
  }

  #begin(
    who: Who,
    turnId: string,
    line: Line | null,
    begin: () => { userId: string | null; replyId: string; base: string },
  ) {
    const known = this.#turns.get(turnId);
    if (known) return this.#again(turnId, known, line);
    if (this.writing) return refusal(409, 'reply_in_progress');
    const { userId, replyId, base } = begin();
    this.#turns.set(turnId, { userId, replyId });
    const versionId = this.#find(replyId)?.selected_version_id ?? '';
    this.writing = { turnId, replyId, versionId, base, text: '', lines: new Set(line ? [line] : []) };
    line?.(this.#accepted(turnId, userId, replyId, base));
    this.#hint({ type: 'turn', reply_id: replyId }, who);
    return { ok: true } as const;
  }

  #again(turnId: string, { userId, replyId }: { userId: string | null; replyId: string }, line: Line | null) {
    if (this.writing?.turnId === turnId) return this.join(null, line);
    const reply = this.#find(replyId);
    if (!reply || (userId !== null && !this.#find(userId))) return refusal(409, 'message_deleted');
    line?.(this.#accepted(turnId, userId, replyId, ''));
    line?.({ id: `${turnId}:${reply.content.length + 1}`, event: { event: 'done', reply, points: null } });
    line?.('end');
    return { ok: true } as const;
  }

  /** The reply being written, after what was seen of it last. */
  join(lastEventId: string | null, line: Line | null) {
    const { writing } = this;
    if (!writing) return { ok: true, none: true } as const;
    const { turnId, replyId, text, base, lines } = writing;
    const seen = lastEventId?.startsWith(`${turnId}:`) ? Number(lastEventId.split(':')[1]) : null;
    if (seen === null) line?.(this.#accepted(turnId, this.#turns.get(turnId)?.userId ?? null, replyId, base));
    if (text.length > (seen ?? 0))
      line?.({ id: `${turnId}:${text.length}`, event: { event: 'delta', text: text.slice(seen ?? 0) } });
    if (line) lines.add(line);
    return { ok: true } as const;
  }

  #accepted(turnId: string, userId: string | null, replyId: string, base: string): FollowedEvent {
    const reply = { ...(this.#find(replyId) as Message), content: base, status: 'streaming' } as const;
    const event: ReplyEvent = {
      event: 'accepted',
      ...(userId === null ? {} : { user_message: this.#find(userId) as Message }),
      reply,
      newest: this.messages.at(-1)?.id === replyId,
    };
    return { id: `${turnId}:0`, event };
  }

  /** The model goes on with the reply. */
  write(text: string): void {
    const { writing } = this;
    if (!writing) return;
    writing.text += text;
    const id = `${writing.turnId}:${writing.text.length}`;
    this.#putText(writing, 'streaming');
    for (const line of writing.lines) line({ id, event: { event: 'delta', text } });
  }

  /** The reply is over. */
  end(): void {
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

  #putText({ replyId, versionId, base, text }: Writing, status: Message['status']): void {
    const reply = this.#find(replyId) as Message;
    const content = base + text;
    const versions = reply.versions.map((one) => (one.id === versionId ? { ...one, content } : one));
    this.#put({ ...reply, content, status, versions });
  }

  // ── changes ──

  edit(who: Who, id: string, content: string) {
    return this.#change(who, id, (one) => {
      const version = { id: this.#id('v'), content, model: null, created_at: AT, edited: true };
      const versions = [...one.versions, version];
      return { ...one, content, edited: true, versions, selected_version_id: version.id };
    });
  }

  select(who: Who, id: string, versionId: string) {
    return this.#change(who, id, (one) => {
      const version = one.versions.find((other) => other.id === versionId);
      return version ? { ...one, content: version.content, selected_version_id: versionId } : one;
    });
  }

  pin(who: Who, id: string, pinned: boolean) {
    return this.#change(who, id, (one) => ({ ...one, pinned }), true);
  }

  #change(who: Who, id: string, change: (one: Message) => Message, whileWriting = false) {
    const found = this.#find(id);
    if (!found) return refusal(404, 'not_found');
    if (found.status === 'streaming' && !whileWriting) return refusal(409, 'reply_in_progress');
    const changed = change(found);
    this.#put(changed);
    this.#hint({ type: 'changed', message_ids: [id] }, who);
    return { ok: true, data: changed } as const;
  }

  remove(who: Who, id: string) {
    const index = this.messages.findIndex((one) => one.id === id);
    if (index === -1) return refusal(404, 'not_found');
    const tail = this.messages.slice(index);
    if (tail.some(({ status }) => status === 'streaming')) return refusal(409, 'reply_in_progress');
    const item = { id: this.#id('t'), messages: tail };
    this.trash.push(item);
    this.messages = this.messages.slice(0, index);
    this.#hint({ type: 'changed', message_ids: [] }, who);
    return { ok: true, data: { id: item.id, message_count: tail.length } } as const;
  }

  restore(who: Who, trashId: string) {
    const at = this.trash.findIndex(({ id }) => id === trashId);
    const [item] = at === -1 ? [] : this.trash.splice(at, 1);
    if (!item) return refusal(404, 'not_found');
    const { messages } = item;
    const placeOf = ({ id }: Message) => this.#places.get(id) ?? 0;
    this.messages = [...this.messages, ...messages].toSorted((a, b) => placeOf(a) - placeOf(b));
    const ids = messages.map(({ id }) => id);
    this.#hint({ type: 'changed', message_ids: ids }, who);
    return { ok: true, data: { message_ids: ids } } as const;
  }

  rename(who: Who, title: string) {
    this.title = title;
    this.#hint({ type: 'changed', message_ids: [] }, who);
    return { ok: true, data: this.conversation } as const;
  }

  #hint(hint: LiveHint, who: Who): void {
    this.#told += 1;
    if (who === 'other') this.#tell(hint);
  }

  #find(id: string): Message | undefined {
    return this.messages.find((one) => one.id === id);
  }

  #put(changed: Message): void {
    this.messages = this.messages.map((one) => (one.id === changed.id ? changed : one));
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}${this.#ids}`;
  }
}
