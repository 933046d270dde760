// Over 400 lines, and one piece: a class of an object is all that can be asked of it. Each is a few lines that say who may,
// what changes and who is told; the rules are in the files beside it.
import { DurableObject } from 'cloudflare:workers';
import { readEnvironment } from '../../env/read-environment.ts';
import { inRun } from '../../lib/log.ts';
import { chooseModel, type ChosenModel } from '../model/choice.ts';
import { appealToken } from '../moderation/appeal-token.ts';
import type { RefusalRule } from '../safety/moderation.ts';
import { searchedText } from './searched-text.ts';
import { toByteStream } from '../../lib/text-stream.ts';
import type { Barred } from './character/character-state.ts';
import type { ChatHeader, MessageRecord } from './files/chat-record.ts';
import type { Crisis, Whereabouts } from './moderation/crisis-help.ts';
import type { Conversation, ConversationCreated, ConversationPage, Message } from './contract.ts';
import {
  beginConversation,
  describeConversation,
  type NewConversation,
  type StoryCharacterSource,
} from './create-conversation.ts';
import { headerOf } from './conversation-copy.ts';
import { type Erased, Erasure, forgetMessages } from './delete-conversation.ts';
import type { Fork, ForkWish } from './conversation-forks.ts';
import type { NewIndexRow } from './conversation-list-store.ts';
import { readPage } from './history-page.ts';
import type { Parts } from './compose-conversation.ts';
import type { Meta, PersonaSnapshot } from './conversation-store.ts';
import { Entrance, NOT_FOUND, type NotFound } from './conversation-host.ts';
import { CHARACTER_GONE, hasNobody, letCharacterGo } from './character/deleted-character.ts';
import { chooseGreeting } from './messages/greetings.ts';
import type { MemoryRefusal } from './memory/memory-changes-store.ts';
import type { ChangeMemoryBody, ContextRecord, MemoryView } from './memory/memory-contract.ts';
import type { KeptNote, MemoryCopy } from './memory/memory-store.ts';
import type { PagePlace } from './messages/message-store.ts';
import type { AskKind, AskResult } from './turn/model-asks.ts';
import { type Rating, SPICY_MODE_OFF } from './character/rating.ts';
import { type ReportedText, reportedText } from './messages/reported-text.ts';
import {
  type Answering,
  beginAnswering,
  judgeEdit,
  judgeSend,
  judgeUnseen,
  NOTHING_UNSEEN,
  type ToAppeal,
  withHelp,
} from './moderation/moderate-turn.ts';
import { namesOf } from './conversation-names.ts';
import { takeVersion } from './character/character-version.ts';
import { beginSend } from './turn/turn-beginnings.ts';
import type { BegunTurn, SendCommand, TurnCommand, TurnRefusal, TurnResult } from './turn/turn-port.ts';
import { wholeChat, type WholeChatWish } from './files/whole-conversation.ts';

export type { NotFound, TurnResult };

/** So long after the last messages were added in bulk, others are told of them. */
const APPENDED_MS = 1000;

/**
 * One conversation: its messages, and the reply that is being written. It owns the turn. Its rules are in the parts that
 * it opens, and whoever wants something of them comes in by the entrance; this class says what can be wanted.
 */
export class ConversationObject extends DurableObject<Env> {
  readonly #entrance: Entrance;
  readonly #erasure: Erasure;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#entrance = new Entrance(ctx, env);
    this.#erasure = new Erasure(ctx.storage, {
      unlist: (meta) => this.#entrance.unlist(meta),
      close: () => this.#entrance.close(),
    });
  }

  // ── beginning and reading ──

  create(input: NewConversation): ConversationCreated {
    const parts = this.#entrance.open();
    this.ctx.storage.transactionSync(() => beginConversation(parts, input, Date.now()));
    this.#entrance.doChores(parts);
    const page = parts.messages.page(null, input.opening.length);
    return {
      conversation: describeConversation(parts),
      messages: page?.messages ?? [],
      revision: parts.tabs.revision,
    };
  }

  /** One page of the history, as a rule the newest. A place that is not there is `not_found`. */
  page(
    userId: string,
    place: PagePlace,
    limit: number,
  ): Promise<{ ok: true; page: ConversationPage } | NotFound> {
    return this.#entrance.for(userId, (parts) => {
      const page = readPage(parts, place, limit);
      return page === null ? NOT_FOUND : { ok: true, page };
    });
  }

  describe(userId: string): Promise<{ ok: true; conversation: Conversation } | NotFound> {
    return this.#entrance.for(userId, (parts) => ({
      ok: true,
      conversation: describeConversation(parts),
    }));
  }

  /**
   * Puts it into its person's lists, once it is made. False when there is nothing any more that the row could stand for:
   * what took too long to be made was erased meanwhile, or is just being.
   */
  async list(row: NewIndexRow): Promise<boolean> {
    return !this.#erasure.underWay && (await this.#entrance.list(row));
  }

  /** What some messages say, for the lists of the search; those that are not there are left out. */
  async excerpts(
    userId: string,
    messageIds: string[],
  ): Promise<{ messageId: string; role: 'user' | 'character'; text: string; createdAt: number }[]> {
    const parts = await this.#entrance.partsFor(userId);
    if (parts === null) return [];
    const story = parts.store.meta() as Meta;
    return parts.messages.texts(messageIds).map(({ id, role, content, createdAt }) => ({
      messageId: id,
      role,
      text: searchedText(content, story),
      createdAt,
    }));
  }

  /** What a report of a reply says that it said; null when there is no such reply. */
  async reported(userId: string, messageId: string): Promise<ReportedText | null> {
    const parts = await this.#entrance.partsFor(userId);
    const record = parts?.records.one(messageId) ?? null;
    if (parts === null || record?.role !== 'character') return null;
    const { text, marks } = reportedText(record);
    return { text: searchedText(text, parts.store.meta() as Meta), marks };
  }

  /** A reply that a rule ended, as an appeal shows it; null where none did. */
  async refusedReply(userId: string, messageId: string): Promise<{ rule: RefusalRule; text: string } | null> {
    const parts = await this.#entrance.partsFor(userId);
    const reply = parts?.messages.message(messageId) ?? null;
    if (parts === null || reply?.safety?.kind !== 'refused') return null;
    return { rule: reply.safety.rule, text: searchedText(reply.content, parts.store.meta() as Meta) };
  }

  /** The socket of an open tab; the API has asked who is there and says so in the headers. */
  override async fetch(request: Request): Promise<Response> {
    const parts = await this.#entrance.partsFor(request.headers.get('x-user-id') ?? '');
    if (parts === null) return new Response(null, { status: 404 });
    const { headers } = request;
    return parts.tabs.open(headers.get('x-tab') ?? '', headers.get('x-session') ?? '');
  }

  /** A session is over: no tab of it hears anything here any more. @param session its public id */
  hangUp(session: string): void {
    this.#entrance.parts?.tabs.hangUp(session);
  }

  // ── turns ──

  /** Stores a message and has it answered. The same turn again rejoins the same reply. */
  send(command: SendCommand): Promise<TurnResult> {
    return inRun(command.requestId, () => this.#send(command));
  }

  async #send(command: SendCommand): Promise<TurnResult> {
    const parts = await this.#entrance.partsFor(command.userId);
    if (parts === null) return NOT_FOUND;
    // Before anything is kept of it. What was kept once is not looked at again.
    const judged = parts.engine.isNew(command.turnId)
      ? await judgeSend(parts.judge, command, this.#toAppeal(command.userId))
      : null;
    const { crisis = null } = judged ?? {};
    this.#refer(parts, command.turnId, crisis);
    const result =
      judged?.ok === false
        ? judged.result
        : await this.#turn(command, (open, model, now) =>
            beginSend(open, { ...command, crisis }, model, now),
          );
    return this.#helped(parts, result, crisis);
  }

  #toAppeal(userId: string): ToAppeal {
    const { authSecret } = readEnvironment(this.env);
    return (rule, text, beside) =>
      appealToken(authSecret, { userId, place: 'message', rule, text }, Date.now(), { beside });
  }

  /** Has it counted that somebody is shown where help is, unless the conversation was erased while they were waiting. */
  #refer(parts: Parts, turnId: string, crisis: Crisis | null): void {
    if (crisis !== null && this.#entrance.parts === parts)
      parts.referrals.add(turnId, crisis.kind, Date.now());
  }

  /** Has it counted at once that somebody is shown where help is, beside a message of theirs. */
  #told(parts: Parts, messageId: string, crisis: Crisis | null): void {
    if (crisis === null || parts.messages.showedCrisis(messageId) || this.#entrance.parts !== parts) return;
    parts.referrals.add(messageId, crisis.kind, Date.now());
    this.#entrance.doChores(parts);
  }

  /** A turn as it goes back to whoever may need help. Where none runs, whose end would, it is counted now. */
  #helped(parts: Parts, result: TurnResult, crisis: Crisis | null): TurnResult {
    const isHere = this.#entrance.parts === parts;
    if (crisis !== null && isHere && !parts.engine.busy) this.#entrance.doChores(parts);
    return withHelp(result, crisis);
  }

  /** Has a reply written anew from the history before it; the version before stays. */
  regenerate(command: TurnCommand & { replyId: string }): Promise<TurnResult> {
    return this.#answering(command, { kind: 'regenerate', replyId: command.replyId });
  }

  /** Has a reply go on from where its text ends, as a new version of it; the shorter one stays. */
  continueReply(command: TurnCommand & { replyId: string }): Promise<TurnResult> {
    return this.#answering(command, { kind: 'continue', replyId: command.replyId });
  }

  /** Has the last message answered, when it is the person's and stands there without a reply. */
  answer(command: TurnCommand): Promise<TurnResult> {
    return this.#answering(command, { kind: 'answer', replyId: null });
  }

  /** A turn that answers what stands there already. */
  #answering(command: TurnCommand, how: Answering): Promise<TurnResult> {
    return inRun(command.requestId, async () => {
      const parts = await this.#entrance.partsFor(command.userId);
      if (parts === null) return NOT_FOUND;
      const unseen = parts.engine.isNew(command.turnId)
        ? await judgeUnseen(parts, command, how.replyId, this.#toAppeal(command.userId))
        : NOTHING_UNSEEN;
      this.#refer(parts, command.turnId, unseen.crisis);
      const result = unseen.ok
        ? await this.#turn(command, (...begun) => beginAnswering(how, unseen, ...begun))
        : unseen.result;
      return this.#helped(parts, result, unseen.crisis);
    });
  }

  async #turn(
    command: TurnCommand,
    begin: (parts: Parts, model: ChosenModel, now: number) => BegunTurn | TurnRefusal,
  ): Promise<TurnResult> {
    const parts = await this.#entrance.partsFor(command.userId);
    if (parts === null) return NOT_FOUND;
    const result = await parts.engine.beginOrRejoin(
      { ...command, model: this.#model(parts, command) },
      (chosen, now) => {
        if (hasNobody(parts)) return CHARACTER_GONE;
        if (command.barred !== null) return command.barred;
        return command.rating === 'withheld' ? SPICY_MODE_OFF : begin(parts, chosen, now);
      },
    );
    this.ctx.waitUntil(parts.engine.ended);
    return result;
  }

  #model(parts: Parts, asked: Pick<TurnCommand, 'model' | 'standing'>): ChosenModel | null {
    const { character } = parts.store.meta() as Meta;
    const { models } = readEnvironment(this.env);
    return chooseModel(models, asked.model, character.model_type, asked.standing.unlimited);
  }

  /** The reply being written, from what the reader saw last; `events` is null when none is. */
  follow(
    userId: string,
    lastEventId: string | null,
  ): Promise<
    | { ok: true; events: ReadableStream<Uint8Array> | null }
    | { ok: false; code: 'too_many_readers' }
    | NotFound
  > {
    return this.#entrance.for(userId, ({ engine }) => engine.follow(lastEventId));
  }

  /** Stops the reply; what was written stays. Null when none was being written. */
  stop(userId: string): Promise<{ ok: true; reply: Message | null } | NotFound> {
    return this.#entrance.for(userId, async ({ engine }) => ({ ok: true, reply: await engine.stop() }));
  }

  /** Suggested replies, or a draft of the person's own next line; nothing of it is sent. */
  ask(
    kind: AskKind,
    input: Pick<TurnCommand, 'requestId' | 'userId' | 'model' | 'standing' | 'rating' | 'barred'> & {
      askId: string;
    },
  ): Promise<AskResult | NotFound> {
    const { requestId, userId, barred, ...told } = input;
    const ask = (parts: Parts) => {
      if (hasNobody(parts)) return CHARACTER_GONE;
      if (barred !== null) return barred;
      return parts.asks.ask(kind, { ...told, payerId: userId, model: this.#model(parts, input) });
    };
    return inRun(requestId, () => this.#entrance.for(userId, ask));
  }

  // ── what a person does to messages ──

  async editMessage(
    userId: string,
    messageId: string,
    { content, ...by }: { content: string; rating: Rating; whereabouts: Whereabouts },
    tab: string | null,
  ) {
    const judged = await this.#entrance.for(userId, async (parts) => {
      const verdict = await judgeEdit(parts, messageId, content, by);
      // What is kept is counted with it; what is refused, here, and once.
      if (!verdict.ok) this.#told(parts, messageId, verdict.crisis);
      return verdict;
    });
    if (!judged.ok) return judged;
    const { crisis } = judged;
    return this.#entrance.change(userId, tab, ({ edits }) =>
      edits.edit(messageId, { content, crisis }, Date.now()),
    );
  }

  selectVersion(userId: string, messageId: string, versionId: string, tab: string | null) {
    return this.#entrance.change(userId, tab, ({ edits }) => edits.select(messageId, versionId));
  }

  async deleteFrom(userId: string, messageId: string, tab: string | null) {
    const result = await this.#entrance.change(userId, tab, ({ edits }) =>
      edits.deleteFrom(messageId, Date.now()),
    );
    if (result.ok && (await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.parse(result.trashed.expires_at));
    return result;
  }

  trash(userId: string, cursor: string | undefined, limit: number) {
    return this.#entrance.for(userId, ({ trash, store }) => ({
      ok: true as const,
      list: trash.list(cursor, limit, namesOf(store.meta() as Meta)),
    }));
  }

  restore(userId: string, trashId: string, tab: string | null) {
    return this.#entrance.change(userId, tab, ({ edits }) => edits.restore(trashId));
  }

  /** Erases a deletion before its time. */
  eraseDeletion(userId: string, trashId: string, tab: string | null): Promise<{ ok: true } | NotFound> {
    return this.#entrance.change(userId, tab, (parts) =>
      forgetMessages(parts, this.ctx.storage, () => parts.trash.erase(trashId)) === 0
        ? NOT_FOUND
        : { ok: true as const },
    );
  }

  pin(userId: string, messageId: string, pinned: boolean, tab: string | null) {
    return this.#entrance.change(userId, tab, ({ edits }) => edits.pin(messageId, pinned));
  }

  setPersona(userId: string, persona: PersonaSnapshot | null, tab: string | null) {
    return this.#entrance.change(userId, tab, (parts) => {
      const set = parts.edits.setPersona(persona);
      return set.ok ? { ok: true as const, conversation: describeConversation(parts) } : set;
    });
  }

  // ── what a story goes by ──

  /** Has it begin with another of its character's greetings, while nothing else was said. */
  chooseGreeting(userId: string, index: number, barred: Barred | null, tab: string | null) {
    return this.#entrance.change(userId, tab, (parts) => {
      if (hasNobody(parts)) return CHARACTER_GONE;
      if (barred !== null) return barred;
      const { engine, opening } = parts;
      const chosen = this.ctx.storage.transactionSync(() =>
        chooseGreeting(parts, opening(), index, (id) => engine.isWriting(id), Date.now()),
      );
      return chosen.ok ? { ...chosen, conversation: describeConversation(parts) } : chosen;
    });
  }

  /** Goes by this version of its character from now on; by a newer one that it goes by already, it stays. */
  takeCharacter(userId: string, source: StoryCharacterSource, tab: string | null) {
    return this.#entrance.change(userId, tab, (parts) => {
      if (hasNobody(parts)) return CHARACTER_GONE;
      this.ctx.storage.transactionSync(() => takeVersion(parts, source, Date.now()));
      return { ok: true as const, conversation: describeConversation(parts) };
    });
  }

  // ── memory and context ──

  memory(userId: string): Promise<{ ok: true; memory: MemoryView } | NotFound> {
    return this.#entrance.for(userId, ({ memory, leftOut }) => ({
      ok: true,
      memory: memory.view(leftOut()),
    }));
  }

  changeMemory(
    userId: string,
    body: ChangeMemoryBody,
    tab: string | null,
  ): Promise<{ ok: true; memory: MemoryView } | NotFound | MemoryRefusal> {
    return this.#entrance.change(userId, tab, ({ memory, leftOut }) => {
      const refusal = this.ctx.storage.transactionSync(() => memory.change(body, Date.now()));
      return refusal ?? { ok: true as const, memory: memory.view(leftOut()) };
    });
  }

  /** What the model was shown for the version of a reply that shows; `not_found` when that is not kept. */
  contextOf(userId: string, messageId: string): Promise<{ ok: true; context: ContextRecord } | NotFound> {
    return this.#entrance.for(userId, ({ messages, contexts }) => {
      const message = messages.message(messageId);
      const context = message === null ? null : contexts.get(message.selected_version_id);
      return context === null ? NOT_FOUND : { ok: true, context };
    });
  }

  // ── the conversation as a whole ──

  rename(
    userId: string,
    title: string,
    tab: string | null,
  ): Promise<{ ok: true; conversation: Conversation } | NotFound> {
    return this.#entrance.for(userId, async (parts) => {
      const { store, chores, tabs } = parts;
      store.setTitle(title);
      this.#entrance.wakeSoon();
      tabs.tell({ type: 'changed', message_ids: [] }, tab);
      await chores.do();
      return { ok: true, conversation: describeConversation(parts) };
    });
  }

  /** Whole messages, oldest first, after one of them: as many as one call may carry. */
  exportPage(
    userId: string,
    after: string | null,
  ): Promise<{ ok: true; header: ChatHeader; messages: MessageRecord[]; next: string | null } | NotFound> {
    return this.#entrance.for(userId, ({ store, records }) => {
      const page = records.page(after, null);
      if (page === null) return NOT_FOUND;
      return { ok: true, header: headerOf(store.meta() as Meta), messages: page.records, next: page.next };
    });
  }

  /**
   * All of the conversation as text, also when it lies in the trash, with what is remembered of it. One call, however
   * long it is: the text is made while it is read.
   */
  async whole(
    userId: string,
    wish: WholeChatWish,
  ): Promise<{ ok: true; text: ReadableStream<Uint8Array>; notes: KeptNote[] } | NotFound> {
    const parts = await this.#entrance.partsFor(userId, 'any');
    if (parts === null) return NOT_FOUND;
    return { ok: true, text: toByteStream(wholeChat(parts, wish)), notes: parts.memory.kept() };
  }

  /** Adds whole messages at the end, as they were elsewhere. */
  async append(userId: string, records: MessageRecord[]): Promise<void> {
    const parts = await this.#entrance.partsFor(userId);
    if (parts === null) throw new Error('there is no conversation to add to');
    this.ctx.storage.transactionSync(() => {
      parts.records.append(records);
      // It is still being made, however long that takes.
      if (parts.store.meta()?.unlistedSince != null) parts.store.setUnlisted(Date.now());
    });
    // More is coming as a rule: others are told once, when all of it is there.
    await this.ctx.storage.setAlarm(Date.now() + APPENDED_MS);
  }

  /** Copies everything up to and with a message into a new conversation, memory included. */
  fork(wish: ForkWish): Promise<Fork> {
    return this.#entrance.for(wish.userId, ({ forks }) => forks.fork(wish));
  }

  /** Takes over what another conversation remembers of the same messages. */
  async takeMemory(userId: string, entries: MemoryCopy[]): Promise<void> {
    const parts = await this.#entrance.partsFor(userId);
    if (parts !== null) this.ctx.storage.transactionSync(() => parts.memory.load(entries));
  }

  /** Another person's search has to know these messages from now on: the chat moved with its guest to an account. */
  async reindex(userId: string): Promise<void> {
    const parts = await this.#entrance.partsFor(userId, 'any');
    if (parts === null) return;
    parts.store.queueAllForSearch();
    this.#entrance.wakeSoon();
    await parts.chores.do();
  }

  /** Puts the conversation into the trash: it is there for nobody until it is taken back. Ends any reply. */
  async putAway(userId: string): Promise<{ ok: true } | NotFound> {
    return this.#entrance.for(userId, async ({ engine, store, tabs, chores }) => {
      await engine.stop();
      store.setDeleted(Date.now());
      this.#entrance.wakeSoon();
      tabs.tell({ type: 'gone' }, null);
      await chores.do();
      return { ok: true };
    });
  }

  /** Takes the conversation out of the trash. */
  async takeBack(
    userId: string,
    tab: string | null,
  ): Promise<{ ok: true; conversation: Conversation } | NotFound> {
    const parts = await this.#entrance.partsFor(userId, 'trashed');
    if (parts === null) return NOT_FOUND;
    parts.store.setDeleted(null);
    parts.tabs.tell({ type: 'changed', message_ids: [] }, tab);
    this.#entrance.wakeSoon();
    return { ok: true, conversation: describeConversation(parts) };
  }

  /**
   * Ends any reply, pays what is owed, and erases everything here; the list row is the caller's.
   * While the wallet does not confirm what is owed, nothing is erased: `server_error`.
   */
  async erase(userId: string): Promise<Erased | NotFound> {
    const parts = await this.#entrance.partsFor(userId, 'any');
    if (parts === null) return NOT_FOUND;
    return this.#erasure.of(parts);
  }

  /** Erases everything here of a person who is gone, who no longer owns anything. True when nothing is left of it. */
  async eraseOfGone(): Promise<boolean> {
    const { parts } = this.#entrance;
    if (parts === null || parts.store.meta() === null) return true;
    return (await this.#erasure.of(parts)).ok;
  }

  /**
   * Lets go what its maker, who is gone, wrote of a character. The story stays as it was told, and can be read and taken
   * along; nobody answers in it any more.
   */
  forgetCharacter(characterId: string): void {
    const { parts } = this.#entrance;
    if (parts?.store.meta()?.character.id !== characterId) return;
    this.ctx.storage.transactionSync(() => letCharacterGo(parts));
    parts.tabs.tell({ type: 'changed', message_ids: [] }, null);
    this.#entrance.doChores(parts);
  }

  /**
   * Erases a conversation whose time in the trash is over. False when it was taken back meanwhile, or cannot be erased
   * now; true also when nothing was left of it.
   */
  async eraseTrashed(userId: string): Promise<boolean> {
    const meta = this.#entrance.parts?.store.meta() ?? null;
    if (meta === null) return true;
    return meta.deletedAt !== null && (await this.erase(userId)).ok;
  }

  override async alarm(): Promise<void> {
    await inRun(undefined, async () => {
      // An erasure that is under way comes to its own end.
      if (!this.#erasure.underWay && (await this.#entrance.isNobodys()) && (await this.eraseOfGone())) return;
      await this.#entrance.wake();
    });
  }
}
