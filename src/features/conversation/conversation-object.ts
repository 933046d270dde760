import { DurableObject } from 'cloudflare:workers';
import { isSetUp, migrateObject } from '../../db/object-migrations.ts';
import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../environment.ts';
import { newId } from '../../ids.ts';
import { MODEL_TIMEOUTS, streamChat } from '../../vendors/model.ts';
import { chooseModel, type ChosenModel } from '../model/choice.ts';
import type { ModelChoice } from '../model/contract.ts';
import type { PointsStatus } from '../wallet/contract.ts';
import type { Conversation, ConversationCreated, ConversationPage, Message } from './contract.ts';
import { conversationOwner, updateIndex } from './conversation-index-store.ts';
import {
  CONVERSATION_MIGRATIONS,
  type CharacterSnapshot,
  ConversationStore,
  type Meta,
} from './conversation-store.ts';
import { fillNames, REPLY_TOKENS } from './prompt.ts';
import { type BegunTurn, logFailure, TurnEngine, type TurnRefusal, type TurnResult } from './turn-engine.ts';
import { type Settlement, TurnStore } from './turn-store.ts';

/** An alarm watches while a reply is written or somebody has still to be told something. */
const WATCH_MS = 30_000;
/** Lively, and still in character. */
const TEMPERATURE = 0.9;

export type NotFound = { ok: false; code: 'not_found' };
export type { TurnResult };

/** What a client asks of a turn. */
export interface TurnCommand {
  userId: string;
  turnId: string;
  model: ModelChoice;
  /** What a retrying client saw last. */
  lastEventId: string | null;
}

/** The parts of a conversation that exists. */
interface Open {
  store: ConversationStore;
  turns: TurnStore;
  engine: TurnEngine;
}

/**
 * One conversation: its messages, and the reply that is being written. It owns the turn; its rules
 * are in `turn-engine.ts`, and this class connects them to storage, wallet, model and list.
 */
export class ConversationObject extends DurableObject<Env> {
  /** Null until the conversation exists: a guessed id leaves no trace. */
  #open: Open | null = null;
  #chores: Promise<void> | null = null;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    if (!isSetUp(ctx.storage)) return;
    this.#openUp().engine.endOrphans();
  }

  #openUp(): Open {
    migrateObject(this.ctx.storage, CONVERSATION_MIGRATIONS);
    const store = new ConversationStore(this.ctx.storage.sql);
    const turns = new TurnStore(this.ctx.storage.sql);
    const engine = new TurnEngine(store, turns, {
      atomically: (write) => this.ctx.storage.transactionSync(write),
      reserve: async (payerId, reservationId, conversationId) =>
        this.#wallet(payerId).reserve(reservationId, conversationId),
      settle: (settlement) => this.#settle(settlement),
      ask: (model, messages, signal) =>
        streamChat(
          model.endpoint,
          { messages, maxTokens: REPLY_TOKENS, temperature: TEMPERATURE },
          { signal, timeouts: { ...MODEL_TIMEOUTS, idleMs: model.idleMs } },
        ),
      watch: () => void this.ctx.storage.setAlarm(Date.now() + WATCH_MS),
      ended: () => this.#doChores(),
    });
    this.#open = { store, turns, engine };
    return this.#open;
  }

  /** Begins the conversation; the character's first message is message one. */
  create(input: {
    id: string;
    ownerId: string;
    userName: string;
    character: CharacterSnapshot;
  }): ConversationCreated {
    const now = Date.now();
    const { store } = this.#openUp();
    store.create({ ...input, now });
    const opening = fillNames(input.character.first_message, {
      user: input.userName,
      char: input.character.name,
    });
    if (opening.trim() !== '') {
      store.addMessage({
        id: newId(now),
        versionId: newId(now),
        role: 'character',
        status: 'complete',
        content: opening,
        model: null,
        clientMessageId: null,
        now,
      });
    }
    // The caller writes the list row of a conversation that has just begun.
    store.indexWritten();
    return { conversation: describe(store), messages: store.page(undefined, 1)?.messages ?? [] };
  }

  /** One page of the history, newest page first. An unknown `before` is `not_found`. */
  async page(
    userId: string,
    before: string | undefined,
    limit: number,
  ): Promise<{ ok: true; page: ConversationPage } | NotFound> {
    const open = await this.#openFor(userId);
    const found = open?.store.page(before, limit) ?? null;
    if (open === null || found === null) return { ok: false, code: 'not_found' };
    return {
      ok: true,
      page: {
        conversation: describe(open.store),
        messages: found.messages.map((message) => open.engine.asTold(message)),
        next_cursor: found.more ? (found.messages[0]?.id ?? null) : null,
      },
    };
  }

  /** Stores a message and has it answered. The same turn again rejoins the same reply. */
  send(command: TurnCommand & { content: string }): Promise<TurnResult> {
    return this.#turn(command, ({ store }, model, now) => {
      const userMessageId = newId(now);
      const replyId = newId(now);
      const versionId = newId(now);
      store.addMessage({
        id: userMessageId,
        versionId: newId(now),
        role: 'user',
        status: 'complete',
        content: command.content,
        model: null,
        clientMessageId: command.turnId,
        now,
      });
      store.addMessage({
        id: replyId,
        versionId,
        role: 'character',
        status: 'streaming',
        content: '',
        model: model.id,
        clientMessageId: null,
        now,
      });
      return {
        turn: { userMessageId, replyId, versionId, previousVersionId: null },
        undo: () => {
          store.removeMessage(replyId);
          store.removeMessage(userMessageId);
        },
      };
    });
  }

  /** Has a reply written anew from the history before it; the version before stays. */
  regenerate(command: TurnCommand & { replyId: string }): Promise<TurnResult> {
    return this.#turn(command, ({ store }, model, now) => {
      const reply = store.message(command.replyId);
      if (reply === null) return { ok: false, code: 'not_found' };
      if (reply.role !== 'character') return { ok: false, code: 'not_a_reply' };
      const versionId = newId(now);
      store.addVersion({
        id: versionId,
        messageId: reply.id,
        status: 'streaming',
        content: '',
        model: model.id,
        now,
      });
      store.selectVersion(reply.id, versionId);
      return {
        turn: {
          userMessageId: null,
          replyId: reply.id,
          versionId,
          previousVersionId: reply.selected_version_id,
        },
        undo: () => {
          store.selectVersion(reply.id, reply.selected_version_id);
          store.removeVersion(versionId);
        },
      };
    });
  }

  async #turn(
    command: TurnCommand,
    begin: (open: Open, model: ChosenModel, now: number) => BegunTurn | TurnRefusal,
  ): Promise<TurnResult> {
    const open = await this.#openFor(command.userId);
    if (open === null) return { ok: false, code: 'not_found' };
    const { character } = open.store.meta() as Meta;
    const model = chooseModel(readEnvironment(this.env).models, command.model, character.model_type);
    const result = await open.engine.beginOrRejoin({ ...command, model }, (chosen, now) =>
      begin(open, chosen, now),
    );
    this.ctx.waitUntil(open.engine.ended);
    return result;
  }

  /** The reply being written, from what the reader saw last; `events` is null when none is. */
  async follow(
    userId: string,
    lastEventId: string | null,
  ): Promise<{ ok: true; events: ReadableStream<Uint8Array> | null } | NotFound> {
    const open = await this.#openFor(userId);
    if (open === null) return { ok: false, code: 'not_found' };
    return { ok: true, events: await open.engine.follow(lastEventId) };
  }

  /** Stops the reply; what was written stays. Null when none was being written. */
  async stop(userId: string): Promise<{ ok: true; reply: Message | null } | NotFound> {
    const open = await this.#openFor(userId);
    if (open === null) return { ok: false, code: 'not_found' };
    return { ok: true, reply: await open.engine.stop() };
  }

  async rename(userId: string, title: string): Promise<{ ok: true; conversation: Conversation } | NotFound> {
    const open = await this.#openFor(userId);
    if (open === null) return { ok: false, code: 'not_found' };
    open.store.setTitle(title);
    await this.#doChores();
    return { ok: true, conversation: describe(open.store) };
  }

  /**
   * Ends any reply, pays what is owed, and erases everything here; the list row is the caller's.
   * While the wallet does not confirm what is owed, nothing is erased: `server_error`.
   */
  async erase(userId: string): Promise<{ ok: true } | NotFound | { ok: false; code: 'server_error' }> {
    const open = await this.#openFor(userId);
    if (open === null) return { ok: false, code: 'not_found' };
    await open.engine.stop();
    await this.#doChores();
    if (open.turns.settlements().length > 0) return { ok: false, code: 'server_error' };
    this.#open = null;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    return { ok: true };
  }

  override async alarm(): Promise<void> {
    const open = this.#open;
    if (open === null) return;
    open.engine.endOrphans();
    if (!open.engine.busy) await this.#doChores();
    const waiting = open.turns.settlements().length > 0 || open.store.meta()?.indexDirty === true;
    if (open.engine.busy || waiting) await this.ctx.storage.setAlarm(Date.now() + WATCH_MS);
  }

  #wallet(userId: string) {
    return this.env.WALLETS.get(this.env.WALLETS.idFromName(userId));
  }

  /** Tells the wallet how a turn ended; what it does not confirm stays written down. */
  async #settle(settlement: Settlement): Promise<PointsStatus | null> {
    const { store, turns } = this.#open as Open;
    const { versionId, payerId, replyId, outcome } = settlement;
    try {
      const wallet = this.#wallet(payerId);
      const points =
        outcome === 'settle'
          ? await wallet.settle(versionId, replyId ?? '')
          : await wallet.release(versionId, (store.meta() as Meta).id, replyId);
      turns.removeSettlement(versionId);
      return points;
    } catch (error) {
      logFailure('settlement_waits', error);
      return null;
    }
  }

  /** Tells the wallet and the list in D1 what they do not know yet; what fails waits for the alarm. */
  #doChores(): Promise<void> {
    this.#chores ??= (async () => {
      try {
        const { store, turns } = this.#open as Open;
        for (const settlement of turns.settlements()) await this.#settle(settlement);
        await this.#writeIndex(store);
      } finally {
        this.#chores = null;
      }
    })();
    return this.#chores;
  }

  async #writeIndex(store: ConversationStore): Promise<void> {
    const meta = store.meta() as Meta;
    if (!meta.indexDirty) return;
    const countChat = !meta.counted && store.hasBegun();
    const row = {
      id: meta.id,
      characterId: meta.character.id,
      title: meta.title,
      lastMessageAt: meta.updatedAt,
      messageCount: store.messageCount(),
    };
    try {
      await updateIndex(openDatabase(this.env.DB), row, countChat);
      if (countChat) store.setCounted();
      const now = store.meta() as Meta;
      if (now.updatedAt === meta.updatedAt && now.title === meta.title) store.indexWritten();
    } catch (error) {
      logFailure('index_waits', error);
    }
  }

  /**
   * The conversation for this person, or null. D1 is asked only when the copy of the owner here
   * differs: then the conversation may have moved to the account that its guest signed in to.
   */
  async #openFor(userId: string): Promise<Open | null> {
    const meta = this.#open?.store.meta() ?? null;
    if (this.#open === null || meta === null) return null;
    if (meta.ownerId !== userId) {
      if ((await conversationOwner(openDatabase(this.env.DB), meta.id)) !== userId) return null;
      this.#open?.store.setOwner(userId);
    }
    if (this.#open?.engine.busy === false && this.#open.turns.settlements().length > 0)
      await this.#doChores();
    return this.#open;
  }
}

function describe(store: ConversationStore): Conversation {
  const meta = store.meta() as Meta;
  return {
    id: meta.id,
    character_id: meta.character.id,
    character_name: meta.character.name,
    avatar_url: meta.character.avatar_url,
    title: meta.title,
    created_at: new Date(meta.createdAt).toISOString(),
    last_message_time: new Date(meta.updatedAt).toISOString(),
    message_count: store.messageCount(),
    suggested_replies: meta.character.suggested_replies,
  };
}
