// Over 400 lines on purpose: these are all the RPC methods of one Durable Object class. Each method checks access,
// applies a change and notifies the other tabs; the rules are in the neighbouring files.
import { DurableObject } from 'cloudflare:workers';
import { readEnvironment } from '../../env/read-environment.ts';
import { withLogContext } from '../../lib/log.ts';
import { chooseModel, type ChosenModel } from '../model/choose-model.ts';
import { createAppealToken } from '../moderation/appeal-token.ts';
import type { RefusalRule } from '../safety/moderation.ts';
import { toSearchableText } from './searchable-text.ts';
import { toByteStream } from '../../lib/text-stream.ts';
import type { WriteBlock } from './character/character-state.ts';
import type { ChatHeader, MessageRecord } from './files/chat-record.ts';
import type { Crisis, UserRegion } from './moderation/crisis-help.ts';
import type { Conversation, ConversationCreated, ConversationPage, Message } from './contract.ts';
import {
  initConversation,
  describeConversation,
  type NewConversation,
  type CharacterSource,
} from './create-conversation.ts';
import { toChatHeader } from './conversation-copy.ts';
import {
  type ConversationDeletionResult,
  ConversationDeletion,
  eraseMessages,
} from './delete-conversation.ts';
import type { ForkResult, ForkRequest } from './conversation-forks.ts';
import type { NewListRow } from './conversation-list-store.ts';
import { readHistoryPage } from './history-page.ts';
import type { ConversationParts } from './compose-conversation.ts';
import type { ConversationMeta, PersonaSnapshot } from './conversation-store.ts';
import { ConversationHost, NOT_FOUND, type NotFound } from './conversation-host.ts';
import { CHARACTER_DELETED, isCharacterDeleted, redactCharacter } from './character/deleted-character.ts';
import { chooseGreeting } from './messages/greetings.ts';
import type { MemoryRefusal } from './memory/memory-changes-store.ts';
import type { ChangeMemoryBody, ContextRecord, MemoryView } from './memory/memory-contract.ts';
import type { ExportedNote, MemoryCopy } from './memory/memory-store.ts';
import type { PagePlace } from './messages/message-store.ts';
import type { AskKind, AskResult } from './turn/model-asks.ts';
import { type Rating, SPICY_MODE_OFF } from './character/content-rating.ts';
import { type ReportedText, getReportedText } from './messages/reported-text.ts';
import {
  type ReplyRequest,
  startAnswer,
  moderateEdit,
  moderateMessage,
  moderateUnscreened,
  NOTHING_UNSCREENED,
  type CreateAppealToken,
  withHelp,
} from './moderation/moderate-turn.ts';
import { getMacroNames } from './macro-names.ts';
import { updateCharacterVersion } from './character/character-version.ts';
import { beginSend } from './turn/turn-beginnings.ts';
import type { BegunTurn, SendRequest, TurnRequest, TurnRefusal, TurnResult } from './turn/turn-port.ts';
import { streamConversation, type ConversationExportOptions } from './files/export-conversation.ts';

export type { NotFound, TurnResult };

/** Delay of the sync after a bulk append, so that a series of appends is synced once. */
const APPEND_SYNC_DELAY_MS = 1000;

/**
 * The Durable Object of one conversation: its messages and the reply in progress. It runs at most one turn at a time.
 * `ConversationHost` checks access; the rules are in the parts that it returns.
 */
export class ConversationObject extends DurableObject<Env> {
  readonly #host: ConversationHost;
  readonly #deletion: ConversationDeletion;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#host = new ConversationHost(ctx, env);
    this.#deletion = new ConversationDeletion(ctx.storage, {
      unlist: (meta) => this.#host.removeFromList(meta),
      close: () => this.#host.close(),
    });
  }

  // ── create and read ──

  create(input: NewConversation): ConversationCreated {
    const parts = this.#host.open();
    this.ctx.storage.transactionSync(() => initConversation(parts, input, Date.now()));
    this.#host.syncInBackground(parts);
    const page = parts.messages.getPage(null, input.opening.length);
    return {
      conversation: describeConversation(parts),
      messages: page?.messages ?? [],
      revision: parts.tabs.revision,
    };
  }

  /** Returns one page of the history, the newest for a null place; `not_found` when the place does not exist. */
  page(
    userId: string,
    place: PagePlace,
    limit: number,
  ): Promise<{ ok: true; page: ConversationPage } | NotFound> {
    return this.#host.withConversation(userId, (parts) => {
      const page = readHistoryPage(parts, place, limit);
      return page === null ? NOT_FOUND : { ok: true, page };
    });
  }

  describe(userId: string): Promise<{ ok: true; conversation: Conversation } | NotFound> {
    return this.#host.withConversation(userId, (parts) => ({
      ok: true,
      conversation: describeConversation(parts),
    }));
  }

  /**
   * Inserts the list row of a new conversation.
   * @returns false when the conversation was erased in the meantime, or is being erased, because its creation took too
   *   long
   */
  async addToList(row: NewListRow): Promise<boolean> {
    return !this.#deletion.isRunning && (await this.#host.addToList(row));
  }

  /** Texts of some messages for search results; unknown ids are left out. */
  async getExcerpts(
    userId: string,
    messageIds: string[],
  ): Promise<{ messageId: string; role: 'user' | 'character'; text: string; createdAt: number }[]> {
    const parts = await this.#host.authorize(userId);
    if (parts === null) return [];
    const story = parts.store.getMeta() as ConversationMeta;
    return parts.messages.listTexts(messageIds).map(({ id, role, content, createdAt }) => ({
      messageId: id,
      role,
      text: toSearchableText(content, story),
      createdAt,
    }));
  }

  /** Returns the text of a reply for a report; null when there is no such reply. */
  async getReportedText(userId: string, messageId: string): Promise<ReportedText | null> {
    const parts = await this.#host.authorize(userId);
    const record = parts?.records.findRecord(messageId) ?? null;
    if (parts === null || record?.role !== 'character') return null;
    const { text, marks } = getReportedText(record);
    return { text: toSearchableText(text, parts.store.getMeta() as ConversationMeta), marks };
  }

  /** Returns a reply that a safety rule ended, for an appeal; null when no rule ended it. */
  async getRefusedReply(
    userId: string,
    messageId: string,
  ): Promise<{ rule: RefusalRule; text: string } | null> {
    const parts = await this.#host.authorize(userId);
    const reply = parts?.messages.findMessage(messageId) ?? null;
    if (parts === null || reply?.safety?.kind !== 'refused') return null;
    return {
      rule: reply.safety.rule,
      text: toSearchableText(reply.content, parts.store.getMeta() as ConversationMeta),
    };
  }

  /** Opens the socket of a tab. The API has authenticated the user and passes user, tab and session in headers. */
  override async fetch(request: Request): Promise<Response> {
    const parts = await this.#host.authorize(request.headers.get('x-user-id') ?? '');
    if (parts === null) return new Response(null, { status: 404 });
    const { headers } = request;
    return parts.tabs.accept(headers.get('x-tab') ?? '', headers.get('x-session') ?? '');
  }

  /** Closes the sockets of a session that has ended. @param session its public id */
  closeSession(session: string): void {
    this.#host.parts?.tabs.closeSession(session);
  }

  // ── turns ──

  /** Stores a message and starts its reply. The same turn id again rejoins the same reply. */
  send(command: SendRequest): Promise<TurnResult> {
    return withLogContext(command.requestId, () => this.#send(command));
  }

  async #send(command: SendRequest): Promise<TurnResult> {
    const parts = await this.#host.authorize(command.userId);
    if (parts === null) return NOT_FOUND;
    // Moderate a message before it is stored. A known turn was moderated the first time.
    const moderated = parts.engine.isNew(command.turnId)
      ? await moderateMessage(parts.judge, command, this.#appealTokenFactory(command.userId))
      : null;
    const { crisis = null } = moderated ?? {};
    this.#recordReferral(parts, command.turnId, crisis);
    const result =
      moderated?.ok === false
        ? moderated.result
        : await this.#runTurn(command, (open, model, now) =>
            beginSend(open, { ...command, crisis }, model, now),
          );
    return this.#attachHelp(parts, result, crisis);
  }

  #appealTokenFactory(userId: string): CreateAppealToken {
    const { authSecret } = readEnvironment(this.env);
    return (rule, text, evidence) =>
      createAppealToken(authSecret, { userId, place: 'message', rule, text }, Date.now(), {
        beside: evidence,
      });
  }

  /** Counts that the user was shown crisis help, unless the conversation was erased during moderation. */
  #recordReferral(parts: ConversationParts, turnId: string, crisis: Crisis | null): void {
    if (crisis !== null && this.#host.parts === parts) parts.referrals.add(turnId, crisis.kind, Date.now());
  }

  /** Counts at once that the user was shown crisis help for one of their messages. */
  #recordReferralNow(parts: ConversationParts, messageId: string, crisis: Crisis | null): void {
    if (crisis === null || parts.messages.showedCrisis(messageId) || this.#host.parts !== parts) return;
    parts.referrals.add(messageId, crisis.kind, Date.now());
    this.#host.syncInBackground(parts);
  }

  /** Adds crisis help to a refused turn. Without a running turn, whose end would sync the count, sync it now. */
  #attachHelp(parts: ConversationParts, result: TurnResult, crisis: Crisis | null): TurnResult {
    const isHere = this.#host.parts === parts;
    if (crisis !== null && isHere && !parts.engine.isBusy) this.#host.syncInBackground(parts);
    return withHelp(result, crisis);
  }

  /** Writes a new version of a reply from the history before it; the old version stays. */
  regenerate(command: TurnRequest & { replyId: string }): Promise<TurnResult> {
    return this.#runReplyTurn(command, { kind: 'regenerate', replyId: command.replyId });
  }

  /** Continues a reply from the end of its text, as a new version; the shorter version stays. */
  continueReply(command: TurnRequest & { replyId: string }): Promise<TurnResult> {
    return this.#runReplyTurn(command, { kind: 'continue', replyId: command.replyId });
  }

  /** Writes a reply to the last message, if it is the user's and has none. */
  answer(command: TurnRequest): Promise<TurnResult> {
    return this.#runReplyTurn(command, { kind: 'answer', replyId: null });
  }

  /** Runs a turn that answers an existing message. */
  #runReplyTurn(command: TurnRequest, how: ReplyRequest): Promise<TurnResult> {
    return withLogContext(command.requestId, async () => {
      const parts = await this.#host.authorize(command.userId);
      if (parts === null) return NOT_FOUND;
      const unscreened = parts.engine.isNew(command.turnId)
        ? await moderateUnscreened(parts, command, how.replyId, this.#appealTokenFactory(command.userId))
        : NOTHING_UNSCREENED;
      this.#recordReferral(parts, command.turnId, unscreened.crisis);
      const result = unscreened.ok
        ? await this.#runTurn(command, (...begun) => startAnswer(how, unscreened, ...begun))
        : unscreened.result;
      return this.#attachHelp(parts, result, unscreened.crisis);
    });
  }

  async #runTurn(
    command: TurnRequest,
    begin: (parts: ConversationParts, model: ChosenModel, now: number) => BegunTurn | TurnRefusal,
  ): Promise<TurnResult> {
    const parts = await this.#host.authorize(command.userId);
    if (parts === null) return NOT_FOUND;
    return parts.engine.begin(
      { ...command, model: this.#chooseModel(parts, command), verification: null },
      (chosen, now) => {
        if (isCharacterDeleted(parts)) return CHARACTER_DELETED;
        if (command.writeBlock !== null) return command.writeBlock;
        return command.rating === 'blocked' ? SPICY_MODE_OFF : begin(parts, chosen, now);
      },
    ) as Promise<TurnResult>;
  }

  #chooseModel(
    parts: ConversationParts,
    asked: Pick<TurnRequest, 'model' | 'entitlement'>,
  ): ChosenModel | null {
    const { character } = parts.store.getMeta() as ConversationMeta;
    const { models } = readEnvironment(this.env);
    return chooseModel(models, asked.model, character.model_type, asked.entitlement.unlimited);
  }

  /** Streams the reply in progress from the reader's last event on; `events` is null when there is none. */
  follow(
    userId: string,
    lastEventId: string | null,
  ): Promise<
    | { ok: true; events: ReadableStream<Uint8Array> | null }
    | { ok: false; code: 'too_many_subscribers' }
    | NotFound
  > {
    return this.#host.withConversation(userId, ({ engine }) => engine.follow(lastEventId));
  }

  /** Stops the reply and keeps its text so far. `reply` is null when none was being written. */
  stop(userId: string): Promise<{ ok: true; reply: Message | null } | NotFound> {
    return this.#host.withConversation(userId, async ({ engine }) => ({
      ok: true,
      reply: await engine.stop(),
    }));
  }

  /** Returns suggested replies, or a draft of the user's next message; neither is sent. */
  requestAssist(
    kind: AskKind,
    input: Pick<TurnRequest, 'requestId' | 'userId' | 'model' | 'entitlement' | 'rating' | 'writeBlock'> & {
      askId: string;
    },
  ): Promise<AskResult | NotFound> {
    const { requestId, userId, writeBlock, ...askOptions } = input;
    const ask = (parts: ConversationParts) => {
      if (isCharacterDeleted(parts)) return CHARACTER_DELETED;
      if (writeBlock !== null) return writeBlock;
      return parts.assist.ask(kind, {
        ...askOptions,
        payerId: userId,
        model: this.#chooseModel(parts, input),
      });
    };
    return withLogContext(requestId, () => this.#host.withConversation(userId, ask));
  }

  // ── edits by the user ──

  async editMessage(
    userId: string,
    messageId: string,
    { content, ...by }: { content: string; rating: Rating; region: UserRegion },
    tab: string | null,
  ) {
    const judged = await this.#host.withConversation(userId, async (parts) => {
      const verdict = await moderateEdit(parts, messageId, content, by);
      // An accepted edit counts the referral when it is stored; a refused one is counted here.
      if (!verdict.ok) this.#recordReferralNow(parts, messageId, verdict.crisis);
      return verdict;
    });
    if (!judged.ok) return judged;
    const { crisis } = judged;
    return this.#host.applyChange(userId, tab, ({ edits }) =>
      edits.edit(messageId, { content, crisis }, Date.now()),
    );
  }

  selectVersion(userId: string, messageId: string, versionId: string, tab: string | null) {
    return this.#host.applyChange(userId, tab, ({ edits }) => edits.selectVersion(messageId, versionId));
  }

  async deleteFrom(userId: string, messageId: string, tab: string | null) {
    const result = await this.#host.applyChange(userId, tab, ({ edits }) =>
      edits.deleteFrom(messageId, Date.now()),
    );
    if (result.ok && (await this.ctx.storage.getAlarm()) === null)
      await this.ctx.storage.setAlarm(Date.parse(result.trashed.expires_at));
    return result;
  }

  listTrash(userId: string, cursor: string | undefined, limit: number) {
    return this.#host.withConversation(userId, ({ trash, store }) => ({
      ok: true as const,
      list: trash.list(cursor, limit, getMacroNames(store.getMeta() as ConversationMeta)),
    }));
  }

  restore(userId: string, trashId: string, tab: string | null) {
    return this.#host.applyChange(userId, tab, ({ edits }) => edits.restore(trashId));
  }

  /** Erases a deletion before its retention ends. */
  eraseDeletion(userId: string, trashId: string, tab: string | null): Promise<{ ok: true } | NotFound> {
    return this.#host.applyChange(userId, tab, (parts) =>
      eraseMessages(parts, this.ctx.storage, () => parts.trash.erase(trashId)) === 0
        ? NOT_FOUND
        : { ok: true as const },
    );
  }

  pin(userId: string, messageId: string, pinned: boolean, tab: string | null) {
    return this.#host.applyChange(userId, tab, ({ edits }) => edits.pin(messageId, pinned));
  }

  setPersona(userId: string, persona: PersonaSnapshot | null, tab: string | null) {
    return this.#host.applyChange(userId, tab, (parts) => {
      const set = parts.edits.setPersona(persona);
      return set.ok ? { ok: true as const, conversation: describeConversation(parts) } : set;
    });
  }

  // ── character and greeting ──

  /** Replaces the opening by another of the character's greetings, as long as it is the only message. */
  chooseGreeting(userId: string, index: number, writeBlock: WriteBlock | null, tab: string | null) {
    return this.#host.applyChange(userId, tab, (parts) => {
      if (isCharacterDeleted(parts)) return CHARACTER_DELETED;
      if (writeBlock !== null) return writeBlock;
      const { engine, opening } = parts;
      const chosen = this.ctx.storage.transactionSync(() =>
        chooseGreeting(parts, opening(), index, (id) => engine.isWriting(id), Date.now()),
      );
      return chosen.ok ? { ...chosen, conversation: describeConversation(parts) } : chosen;
    });
  }

  /** Switches to this version of the character; ignored when the conversation already uses this or a newer version. */
  updateCharacterVersion(userId: string, source: CharacterSource, tab: string | null) {
    return this.#host.applyChange(userId, tab, (parts) => {
      if (isCharacterDeleted(parts)) return CHARACTER_DELETED;
      this.ctx.storage.transactionSync(() => updateCharacterVersion(parts, source, Date.now()));
      return { ok: true as const, conversation: describeConversation(parts) };
    });
  }

  // ── memory and context ──

  getMemory(userId: string): Promise<{ ok: true; memory: MemoryView } | NotFound> {
    return this.#host.withConversation(userId, ({ memory, listOmitted: leftOut }) => ({
      ok: true,
      memory: memory.getView(leftOut()),
    }));
  }

  changeMemory(
    userId: string,
    body: ChangeMemoryBody,
    tab: string | null,
  ): Promise<{ ok: true; memory: MemoryView } | NotFound | MemoryRefusal> {
    return this.#host.applyChange(userId, tab, ({ memory, listOmitted: leftOut }) => {
      const refusal = this.ctx.storage.transactionSync(() => memory.applyChange(body, Date.now()));
      return refusal ?? { ok: true as const, memory: memory.getView(leftOut()) };
    });
  }

  /**
   * Returns the prompt that the selected version of a reply was written from; `not_found` when it is no longer stored.
   */
  getPromptContext(
    userId: string,
    messageId: string,
  ): Promise<{ ok: true; context: ContextRecord } | NotFound> {
    return this.#host.withConversation(userId, ({ messages, contexts }) => {
      const message = messages.findMessage(messageId);
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
    return this.#host.withConversation(userId, async (parts) => {
      const { store, sync: chores, tabs } = parts;
      store.setTitle(title);
      this.#host.scheduleWake();
      tabs.broadcast({ type: 'changed', message_ids: [] }, tab);
      await chores.flush();
      return { ok: true, conversation: describeConversation(parts) };
    });
  }

  /** Returns whole messages after another one, oldest first, as many as fit into one call. */
  exportPage(
    userId: string,
    after: string | null,
  ): Promise<{ ok: true; header: ChatHeader; messages: MessageRecord[]; next: string | null } | NotFound> {
    return this.#host.withConversation(userId, ({ store, records }) => {
      const page = records.readPage(after, null);
      if (page === null) return NOT_FOUND;
      return {
        ok: true,
        header: toChatHeader(store.getMeta() as ConversationMeta),
        messages: page.records,
        next: page.next,
      };
    });
  }

  /**
   * Streams the whole conversation as text, also from the trash, together with its memory notes. One call is enough for
   * any length, because the text is generated while it is read.
   */
  async streamExport(
    userId: string,
    options: ConversationExportOptions,
  ): Promise<{ ok: true; text: ReadableStream<Uint8Array>; notes: ExportedNote[] } | NotFound> {
    const parts = await this.#host.authorize(userId, 'any');
    if (parts === null) return NOT_FOUND;
    return {
      ok: true,
      text: toByteStream(streamConversation(parts, options)),
      notes: parts.memory.exportNotes(),
    };
  }

  /** Appends whole messages with their versions, for imports and forks. */
  async append(userId: string, records: MessageRecord[]): Promise<void> {
    const parts = await this.#host.authorize(userId);
    if (parts === null) throw new Error('there is no conversation to add to');
    this.ctx.storage.transactionSync(() => {
      parts.records.append(records);
      // Restart the orphan timeout: creating the conversation may take longer than that.
      if (parts.store.getMeta()?.unlistedSince != null) parts.store.setUnlistedSince(Date.now());
    });
    // More pages usually follow, so sync once after the last one.
    await this.ctx.storage.setAlarm(Date.now() + APPEND_SYNC_DELAY_MS);
  }

  /** Copies everything up to and including a message into a new conversation, memory included. */
  fork(request: ForkRequest): Promise<ForkResult> {
    return this.#host.withConversation(request.userId, ({ forks }) => forks.fork(request));
  }

  /** Imports the memory entries of a fork's source; the messages must be here already. */
  async importMemory(userId: string, entries: MemoryCopy[]): Promise<void> {
    const parts = await this.#host.authorize(userId);
    if (parts !== null) this.ctx.storage.transactionSync(() => parts.memory.importEntries(entries));
  }

  /** Adds all messages to this user's search index, after a guest's conversation moved to an account. */
  async reindex(userId: string): Promise<void> {
    const parts = await this.#host.authorize(userId, 'any');
    if (parts === null) return;
    parts.store.queueAllForSearch();
    this.#host.scheduleWake();
    await parts.sync.flush();
  }

  /** Moves the conversation to the trash and stops its reply. Until it is restored, other requests find nothing. */
  async moveToTrash(userId: string): Promise<{ ok: true } | NotFound> {
    return this.#host.withConversation(userId, async ({ engine, store, tabs, sync: chores }) => {
      await engine.stop();
      store.setDeletedAt(Date.now());
      this.#host.scheduleWake();
      tabs.broadcast({ type: 'gone' }, null);
      await chores.flush();
      await chores.sendFigures();
      return { ok: true };
    });
  }

  async restoreFromTrash(
    userId: string,
    tab: string | null,
  ): Promise<{ ok: true; conversation: Conversation } | NotFound> {
    const parts = await this.#host.authorize(userId, 'trashed');
    if (parts === null) return NOT_FOUND;
    parts.store.setDeletedAt(null);
    parts.tabs.broadcast({ type: 'changed', message_ids: [] }, tab);
    this.#host.scheduleWake();
    return { ok: true, conversation: describeConversation(parts) };
  }

  /**
   * Stops any reply, settles with the wallet and erases the conversation with its list row and search entries. Fails with
   * `server_error`, and erases nothing, while the wallet does not confirm a settlement.
   */
  async erase(userId: string): Promise<ConversationDeletionResult | NotFound> {
    const parts = await this.#host.authorize(userId, 'any');
    if (parts === null) return NOT_FOUND;
    return this.#deletion.run(parts);
  }

  /**
   * Erases the conversation without an ownership check, for deleted users and orphans.
   * @returns true when nothing is left
   */
  async eraseForDeletedUser(): Promise<boolean> {
    const { parts } = this.#host;
    if (parts === null || parts.store.getMeta() === null) return true;
    return (await this.#deletion.run(parts)).ok;
  }

  /**
   * Removes the creator's texts about a character, because the creator's account was deleted. The messages stay and can
   * be read and exported; no more replies are written.
   */
  redactCharacter(characterId: string): void {
    const { parts } = this.#host;
    if (parts?.store.getMeta()?.character.id !== characterId) return;
    this.ctx.storage.transactionSync(() => redactCharacter(parts));
    parts.tabs.broadcast({ type: 'changed', message_ids: [] }, null);
    this.#host.syncInBackground(parts);
  }

  /**
   * Erases a conversation whose retention in the trash has expired.
   * @returns false when it was restored in the meantime or cannot be erased now; true also when it was already gone
   */
  async eraseExpired(userId: string): Promise<boolean> {
    const meta = this.#host.parts?.store.getMeta() ?? null;
    if (meta === null) return true;
    return meta.deletedAt !== null && (await this.erase(userId)).ok;
  }

  override async alarm(): Promise<void> {
    await withLogContext(undefined, async () => {
      // An erasure that is already running finishes by itself.
      if (!this.#deletion.isRunning && (await this.#host.isOrphaned()) && (await this.eraseForDeletedUser()))
        return;
      await this.#host.runDueWork();
    });
  }
}
