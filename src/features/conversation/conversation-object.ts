// Over 400 lines on purpose: these are all the RPC methods of one Durable Object class. Each method checks access,
// applies a change and notifies the other tabs; the rules are in the neighbouring files.
import { DurableObject } from 'cloudflare:workers';
import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { withLogContext } from '../../lib/log.ts';
import { chooseModel, type ChosenModel } from '../model/choose-model.ts';
import { createAppealToken } from '../moderation/appeal-token.ts';
import type { RefusalRule } from '../safety/moderation.ts';
import { toSearchableText } from './searchable-text.ts';
import { toByteStream } from '../../lib/text-stream.ts';
import type { ModelChoice } from '../model/contract.ts';
import type { Entitlement } from '../wallet/ledger.ts';
import type { Access, AccessRefusal } from './access/access.ts';
import { readAccess, recordUse } from './access/access-store.ts';
import type { WriteBlock } from './character/character-state.ts';
import type { ChatHeader, MessageRecord } from './files/chat-record.ts';
import type { Crisis, UserRegion } from './moderation/crisis-help.ts';
import type {
  Conversation,
  ConversationCreated,
  ConversationPage,
  Message,
  ReplyRating,
  Thinking,
} from './contract.ts';
import {
  type CharacterSource,
  storeSource,
  type PinnedSource,
  toCharacterCopy,
} from './character/character-copy.ts';
import { insertCopyStatement } from './character/character-copy-store.ts';
import { initConversation, describeConversation, type NewConversation } from './create-conversation.ts';
import { toChatHeader } from './conversation-copy.ts';
import {
  type ConversationDeletionResult,
  ConversationDeletion,
  eraseMessages,
} from './delete-conversation.ts';
import type { ForkResult, ForkRequest } from './conversation-forks.ts';
import type { NewConversationRow } from './conversation-rows-store.ts';
import { readHistoryPage } from './history-page.ts';
import type { ConversationParts } from './compose-conversation.ts';
import type { ConversationMeta, PersonaSnapshot } from './conversation-store.ts';
import { ConversationHost, type ListingResult, NOT_FOUND, type NotFound } from './conversation-host.ts';
import { CHARACTER_DELETED, isCharacterDeleted, redactCharacter } from './character/character-state.ts';
import { chooseGreeting } from './messages/greetings.ts';
import type { MemoryRefusal } from './memory/memory-changes-store.ts';
import type { ChangeMemoryBody, ContextRecord, MemoryView } from './memory/memory-contract.ts';
import type { ExportedNote, MemoryCopy } from './memory/memory-store.ts';
import type { PagePlace } from './messages/message-store.ts';
import type { AskKind, AskResult } from './turn/model-asks.ts';
import type {
  ChangeReplySettingsBody,
  ReplySettings,
  ReplySettingsView,
} from './prompt/reply-settings-contract.ts';
import type { Rating } from './character/character-state.ts';
import { type ReportedText, getReportedText } from './messages/reported-text.ts';
import {
  moderateAuthorNote,
  moderateEdit,
  type NoteRefusal,
  type ReplyRequest,
} from './moderation/moderate-turn.ts';
import { getMacroNames } from './macro-names.ts';
import { updateCharacterVersion } from './character/character-version.ts';
import { EVENT_STREAM_TYPE } from './turn/reply-log.ts';
import { TurnRequests } from './turn/turn-requests.ts';
import type { SendRequest, TurnRequest, TurnResult } from './turn/turn-port.ts';
import { applyConversationStart, type ConversationStart } from './reuse-conversation.ts';
import { streamConversation, type ConversationExportOptions } from './files/export-conversation.ts';

export type { NotFound, TurnResult };

/** Delay of the sync after a bulk append, so that a series of appends is synced once. */
const APPEND_SYNC_DELAY_MS = 1000;

/**
 * Methods that return a stream of events. The API calls them by `fetch` (`callForEvents`): the runtime passes the body of a
 * response on by itself, while each write to a stream in the result of an RPC call is a call of its own.
 */
export type EventCall = 'send' | 'regenerate' | 'continueReply' | 'answer' | 'follow';

/**
 * The Durable Object of one conversation: its messages and the reply in progress. It runs at most one turn at a time.
 * `ConversationHost` checks access; the rules are in the parts that it returns.
 */
export class ConversationObject extends DurableObject<Env> {
  readonly #host: ConversationHost;
  readonly #deletion: ConversationDeletion;
  readonly #turns: TurnRequests;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#host = new ConversationHost(ctx, env);
    this.#turns = new TurnRequests({
      getParts: () => this.#host.parts,
      authorize: (userId) => this.#host.authorize(userId),
      loadCopy: (parts) => this.#host.loadCopy(parts),
      readAccess: async (request) => {
        const { adminEmails, spicyMode, ageCheck } = readEnvironment(env);
        const [db, now] = [openDatabase(env.DB), Date.now()];
        const read = await readAccess(db, request, { adminEmails, spicyMode, ageCheck, now });
        if (read.ok) ctx.waitUntil(recordUse(db, read, now));
        return read;
      },
      chooseModel: (parts, choice, isMember) => this.#chooseModel(parts, choice, isMember),
      createAppealToken: (userId, rule, text, beside) => {
        const refused = { userId, place: 'message', rule, text } as const;
        return createAppealToken(readEnvironment(env).authSecret, refused, Date.now(), { beside });
      },
      syncInBackground: (parts) => this.#host.syncInBackground(parts),
    });
    this.#deletion = new ConversationDeletion(ctx.storage, {
      unlist: (meta) => this.#host.removeFromList(meta),
      close: () => this.#host.close(),
    });
  }

  // ── create and read ──

  /** @param access the caller's access, for their first message; null when unknown */
  async create(
    { character, lorebook = null, parts: definition = null, ...input }: NewConversation,
    access: Access | null = null,
  ): Promise<ConversationCreated> {
    const source = await storeSource({ character, lorebook, parts: definition });
    const parts = this.#host.open();
    parts.store.atomically(() => {
      initConversation(parts, { ...input, source }, Date.now());
      if (access !== null) parts.store.setAccess(access);
    });
    this.#host.syncInBackground(parts);
    return toCreated(parts, input.opening.length);
  }

  /**
   * Returns the conversation for another start with its character, if the user has not written in it and it suits;
   * otherwise `not_found`.
   * @param access the caller's access, for their first message
   */
  async reuse(
    userId: string,
    start: ConversationStart,
    access: Access,
    tab: string | null,
  ): Promise<{ ok: true; created: ConversationCreated } | NotFound> {
    const source = await this.#pinNewSource(start.source);
    return this.#host.applyChange(userId, tab, (parts) => {
      const isReused = parts.store.atomically(() =>
        applyConversationStart(parts, { ...start, source }, Date.now()),
      );
      if (!isReused) return NOT_FOUND;
      parts.store.setAccess(access);
      return { ok: true as const, created: toCreated(parts, start.opening.length) };
    });
  }

  /**
   * Returns one page of the history, the newest for a null place; `not_found` when the place does not exist.
   * @param isShown whether the user sees it, so that the conversation counts as read
   */
  page(
    userId: string,
    place: PagePlace,
    limit: number,
    isShown = true,
  ): Promise<{ ok: true; page: ConversationPage } | NotFound> {
    return this.#host.withConversation(userId, (parts) => {
      const page = readHistoryPage(parts, place, limit);
      if (page === null) return NOT_FOUND;
      if (isShown) this.#markRead(parts);
      return { ok: true, page };
    });
  }

  /** Stores the long texts of a newer version in D1, before the conversation refers to them. */
  async #pinNewSource(source: CharacterSource): Promise<PinnedSource> {
    const pinned = await storeSource(source);
    const { copyHash: hash, character } = pinned;
    const known = this.#host.parts?.store.getMeta() ?? null;
    if (hash !== null && known !== null && known.copyHash !== hash && known.character.id === character.id)
      await insertCopyStatement(openDatabase(this.env.DB), {
        characterId: character.id,
        hash,
        copy: toCharacterCopy(source),
      });
    return pinned;
  }

  /** The user sees the conversation now. */
  #markRead(parts: ConversationParts): void {
    if (parts.store.getMeta()?.isUnread !== true) return;
    parts.store.setUnread(false);
    this.#host.syncInBackground(parts);
  }

  describe(userId: string): Promise<{ ok: true; conversation: Conversation } | NotFound> {
    return this.#host.withConversation(userId, (parts) => ({
      ok: true,
      conversation: describeConversation(parts),
    }));
  }

  /** Returns the conversation, also from the trash, and when it was moved there. */
  async describeImported(
    userId: string,
  ): Promise<{ ok: true; conversation: Conversation; deletedAt: number | null } | NotFound> {
    const parts = await this.#host.authorize(userId, 'any');
    const meta = parts?.store.getMeta() ?? null;
    if (parts === null || meta === null) return NOT_FOUND;
    return { ok: true, conversation: describeConversation(parts), deletedAt: meta.deletedAt };
  }

  /**
   * Inserts the row of a new conversation in D1 and adds it to the user's list.
   * @returns `gone` when the conversation was erased in the meantime, or is being erased, because its creation took too long,
   *   and when another one has its import key; `storage_full` when there is no room for it
   */
  async addToList(row: NewConversationRow): Promise<ListingResult> {
    return this.#deletion.isRunning ? 'gone' : this.#host.addToList(row);
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
      text: toSearchableText(content, createdAt, story),
      createdAt,
    }));
  }

  /** Returns the text of a reply for a report; null when there is no such reply. */
  async getReportedText(userId: string, messageId: string): Promise<ReportedText | null> {
    const parts = await this.#host.authorize(userId);
    const record = parts?.records.findRecord(messageId) ?? null;
    if (parts === null || record?.role !== 'character') return null;
    const { text, marks } = getReportedText(record);
    return {
      text: toSearchableText(text, record.createdAt, parts.store.getMeta() as ConversationMeta),
      marks,
    };
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
      text: toSearchableText(
        reply.content,
        Date.parse(reply.created_at),
        parts.store.getMeta() as ConversationMeta,
      ),
    };
  }

  /**
   * Answers an `EventCall`, or opens the socket of a tab. The API has authenticated the user and passes user, tab and
   * session in headers.
   */
  override async fetch(request: Request): Promise<Response> {
    if (request.method === 'POST') return this.#answerEventCall(request);
    const parts = await this.#host.authorize(request.headers.get('x-user-id') ?? '');
    if (parts === null) return new Response(null, { status: 404 });
    this.#markRead(parts);
    const { headers } = request;
    return parts.tabs.accept(headers.get('x-tab') ?? '', headers.get('x-session') ?? '');
  }

  async #answerEventCall(request: Request): Promise<Response> {
    const name = new URL(request.url).pathname.slice(1) as EventCall;
    const call = this[name] as (...args: unknown[]) => ReturnType<ConversationObject[EventCall]>;
    const result = await call.apply(this, await request.json());
    if (!result.ok || result.events === null) return Response.json(result);
    return new Response(result.events, { headers: { 'content-type': EVENT_STREAM_TYPE } });
  }

  /** Closes the sockets and reply streams of a session that has ended. @param session its public id */
  closeSession(session: string): void {
    this.#host.parts?.tabs.closeSession(session);
    this.#host.parts?.engine.closeSession(session);
  }

  // ── turns ──

  /** Stores a message and starts its reply. The same turn id again rejoins the same reply. */
  send(request: SendRequest): Promise<TurnResult | AccessRefusal> {
    return withLogContext(request.requestId, () => this.#turns.send(request));
  }

  /** Writes a new version of a reply from the history before it; the old version stays. */
  regenerate(
    request: TurnRequest & { replyId: string; note?: string | undefined },
  ): Promise<TurnResult | AccessRefusal> {
    return this.#reply(request, { kind: 'regenerate', replyId: request.replyId, note: request.note });
  }

  /** Continues a reply from the end of its text, as a new version; the shorter version stays. */
  continueReply(request: TurnRequest & { replyId: string }): Promise<TurnResult | AccessRefusal> {
    return this.#reply(request, { kind: 'continue', replyId: request.replyId });
  }

  /** Writes a reply to the last message, if it is the user's and has none. */
  answer(request: TurnRequest): Promise<TurnResult | AccessRefusal> {
    return this.#reply(request, { kind: 'answer', replyId: null });
  }

  #reply(request: TurnRequest, how: ReplyRequest): Promise<TurnResult | AccessRefusal> {
    return withLogContext(request.requestId, () => this.#turns.reply(request, how));
  }

  /** Counts at once that the user was shown crisis help for one of their messages. */
  #recordReferralNow(parts: ConversationParts, messageId: string, crisis: Crisis | null): void {
    if (crisis === null || parts.messages.showedCrisis(messageId) || this.#host.parts !== parts) return;
    parts.referrals.add(messageId, crisis.kind, Date.now());
    this.#host.syncInBackground(parts);
  }

  #chooseModel(parts: ConversationParts, choice: ModelChoice, isMember: boolean): ChosenModel | null {
    const { character } = parts.store.getMeta() as ConversationMeta;
    return chooseModel(readEnvironment(this.env).models, choice, character.model_type, isMember);
  }

  /**
   * Streams the reply in progress from the reader's last event on; `events` is null when there is none.
   * @param session the public id of the reader's session; the stream ends with it
   */
  follow(
    userId: string,
    lastEventId: string | null,
    session: string,
  ): Promise<
    | { ok: true; events: ReadableStream<Uint8Array> | null }
    | { ok: false; code: 'too_many_subscribers' }
    | NotFound
  > {
    return this.#host.withConversation(userId, ({ engine }) => engine.follow({ lastEventId, session }));
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
    input: {
      requestId: string;
      userId: string;
      askId: string;
      model: ModelChoice;
      entitlement: Entitlement;
      rating: Rating;
      writeBlock: WriteBlock | null;
    },
  ): Promise<AskResult | NotFound> {
    const { requestId, userId, writeBlock, ...askOptions } = input;
    const ask = (parts: ConversationParts) => {
      if (isCharacterDeleted(parts)) return CHARACTER_DELETED;
      if (writeBlock !== null) return writeBlock;
      return parts.assist.ask(kind, {
        ...askOptions,
        payerId: userId,
        model: this.#chooseModel(parts, input.model, input.entitlement.unlimited),
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
      eraseMessages(parts, () => parts.trash.erase(trashId)) === 0 ? NOT_FOUND : { ok: true as const },
    );
  }

  pin(userId: string, messageId: string, pinned: boolean, tab: string | null) {
    return this.#host.applyChange(userId, tab, ({ edits }) => edits.pin(messageId, pinned));
  }

  /** Stores what the user thinks of a version of a reply; null takes it back. */
  rate(
    userId: string,
    messageId: string,
    rated: { versionId: string; rating: ReplyRating | null },
    tab: string | null,
  ) {
    return this.#host.applyChange(userId, tab, ({ edits }) => edits.rate(messageId, rated));
  }

  setPersona(userId: string, persona: PersonaSnapshot | null, tab: string | null) {
    return this.#host.applyChange(userId, tab, (parts) => {
      const set = parts.edits.setPersona(persona);
      return set.ok ? { ok: true as const, conversation: describeConversation(parts) } : set;
    });
  }

  /** Sets the user's name without a persona. */
  setUserName(userId: string, userName: string, tab: string | null) {
    return this.#host.applyChange(userId, tab, (parts) => {
      parts.edits.updateNames({ userName });
      return { ok: true as const, conversation: describeConversation(parts) };
    });
  }

  // ── reply settings ──

  getReplySettings(userId: string): Promise<{ ok: true; settings: ReplySettingsView } | NotFound> {
    return this.#host.withConversation(userId, ({ replySettings, store }) => ({
      ok: true,
      settings: {
        ...replySettings.get(),
        recommended_style: store.getMeta()?.character.recommended_style ?? null,
      },
    }));
  }

  /** Changes the settings from the next reply on. */
  async changeReplySettings(
    userId: string,
    change: ChangeReplySettingsBody,
    rating: Rating,
    tab: string | null,
  ): Promise<{ ok: true; settings: ReplySettings } | NotFound | NoteRefusal> {
    const { author_note: note = '' } = change;
    const judged = await this.#host.withConversation(userId, (parts) =>
      moderateAuthorNote(parts, note, rating),
    );
    if (!judged.ok) return judged;
    return this.#host.applyChange(userId, tab, ({ replySettings }) => {
      replySettings.save({ ...replySettings.get(), ...change });
      return { ok: true as const, settings: replySettings.get() };
    });
  }

  // ── character and greeting ──

  /** Replaces the opening by another of the character's greetings, as long as it is the only message. */
  chooseGreeting(userId: string, index: number, writeBlock: WriteBlock | null, tab: string | null) {
    return this.#host.applyChange(userId, tab, (parts) => {
      if (isCharacterDeleted(parts)) return CHARACTER_DELETED;
      if (writeBlock !== null) return writeBlock;
      const { engine, opening, store } = parts;
      const chosen = store.atomically(() =>
        chooseGreeting(parts, opening(), index, (id) => engine.isWriting(id), Date.now()),
      );
      return chosen.ok ? { ...chosen, conversation: describeConversation(parts) } : chosen;
    });
  }

  /** Switches to this version of the character; ignored when the conversation already uses this or a newer version. */
  async updateCharacterVersion(userId: string, source: CharacterSource, tab: string | null) {
    const pinned = await this.#pinNewSource(source);
    return this.#host.applyChange(userId, tab, (parts) => {
      if (isCharacterDeleted(parts)) return CHARACTER_DELETED;
      parts.store.atomically(() => updateCharacterVersion(parts, pinned, Date.now()));
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
    return this.#host.applyChange(userId, tab, ({ memory, listOmitted: leftOut, store }) => {
      const refusal = store.atomically(() => memory.applyChange(body, Date.now()));
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

  /** Returns what the model thought before it wrote the selected version; `not_found` when there is none. */
  getThinking(userId: string, messageId: string): Promise<{ ok: true; thinking: Thinking } | NotFound> {
    return this.#host.withConversation(userId, ({ messages }) => {
      const message = messages.findMessage(messageId);
      const text = messages.findThinking(messageId);
      if (message === null || text === null) return NOT_FOUND;
      return { ok: true, thinking: { version_id: message.selected_version_id, text } };
    });
  }

  // ── the conversation as a whole ──

  rename(
    userId: string,
    title: string,
    tab: string | null,
  ): Promise<{ ok: true; conversation: Conversation } | NotFound> {
    return this.#host.withConversation(userId, async (parts) => {
      const { store, sync, tabs } = parts;
      store.setTitle(title);
      this.#host.scheduleWake();
      tabs.broadcast({ type: 'changed', message_ids: [] }, tab);
      await sync.flush();
      return { ok: true, conversation: describeConversation(parts) };
    });
  }

  /** Returns whole messages after another one, oldest first, as many as fit into one call. */
  exportPage(
    userId: string,
    after: string | null,
  ): Promise<{ ok: true; header: ChatHeader; messages: MessageRecord[]; next: string | null } | NotFound> {
    return this.#host.withConversation(userId, ({ store, records, replySettings }) => {
      const page = records.readPage(after, null);
      if (page === null) return NOT_FOUND;
      return {
        ok: true,
        header: toChatHeader(store.getMeta() as ConversationMeta, replySettings.get()),
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
    parts.store.atomically(() => {
      parts.records.append(records);
      // Restart the orphan timeout: creating the conversation may take longer than that.
      if (parts.store.getMeta()?.unlistedSince != null) parts.store.setUnlistedSince(Date.now());
    });
    // More pages usually follow, so sync once after the last one.
    await this.ctx.storage.setAlarm(Date.now() + APPEND_SYNC_DELAY_MS);
  }

  /**
   * Measures a fork before it is made; `text` is null for a fork that the client's key has made before. `not_found` when the
   * message does not exist.
   */
  measureFork(
    request: Omit<ForkRequest, 'copyId'>,
  ): Promise<{ ok: true; text: { bytes: number; versions: number } | null } | NotFound> {
    const { userId, messageId } = request;
    return this.#host.withConversation(userId, async ({ forks, records }) => {
      if (await forks.hasMade(request)) return { ok: true, text: null };
      const text = records.measure(messageId);
      return text === null ? NOT_FOUND : { ok: true, text };
    });
  }

  /** Copies everything up to and including a message into a new conversation, memory included. */
  fork(request: ForkRequest): Promise<ForkResult> {
    return this.#host.withConversation(request.userId, ({ forks }) => forks.fork(request));
  }

  /** Imports the memory entries of a fork's source; the messages must be here already. */
  async importMemory(userId: string, entries: MemoryCopy[]): Promise<void> {
    const parts = await this.#host.authorize(userId);
    if (parts !== null) parts.store.atomically(() => parts.memory.importEntries(entries));
  }

  /** Adds the conversation to this user's list and search index, after a guest's conversation moved to an account. */
  async reindex(userId: string): Promise<void> {
    const parts = await this.#host.authorize(userId, 'any');
    if (parts === null) return;
    parts.store.queueAllForSearch();
    this.#host.scheduleWake();
    await parts.sync.flush();
  }

  /** Moves the conversation to the trash and stops its reply. Until it is restored, other requests find nothing. */
  async moveToTrash(userId: string): Promise<{ ok: true } | NotFound> {
    return this.#host.withConversation(userId, async ({ engine, store, tabs, sync }) => {
      await engine.stop();
      store.setDeletedAt(Date.now());
      this.#host.scheduleWake();
      tabs.broadcast({ type: 'gone' }, null);
      await sync.flush();
      await sync.endSitting();
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
    await parts.sync.flush();
    return { ok: true, conversation: describeConversation(parts) };
  }

  /**
   * Stops any reply, settles with the wallet and erases the conversation with its row and what the index has of it. Fails with
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
    parts.store.atomically(() => redactCharacter(parts));
    parts.tabs.broadcast({ type: 'changed', message_ids: [] }, null);
    this.#host.syncInBackground(parts);
  }

  /**
   * Erases a conversation that is in the trash.
   * @returns false when it was restored in the meantime or cannot be erased now; true also when it was already gone
   */
  async eraseTrashed(userId: string): Promise<boolean> {
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

/** A conversation with all of its first messages. */
function toCreated(parts: ConversationParts, count: number): ConversationCreated {
  return {
    conversation: describeConversation(parts),
    messages: parts.messages.getPage(null, count)?.messages ?? [],
    revision: parts.tabs.revision,
  };
}
