import { migrateObject } from '../../db/object-migrations.ts';
import { isLetBy } from '../safety/appeal-exemption-statements.ts';
import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { newId } from '../../lib/ids.ts';
import { grantOf } from '../moderation/appeal-token.ts';
import { HOUSE_VISITOR } from '../account/synthetic-user.ts';
import { moderatorOf } from '../model/moderator-gateway.ts';
import type { Standing } from '../wallet/ledger.ts';
import { chooseModel, type ChosenModel } from '../model/choice.ts';
import { askModel, countBeside, prepareToAsk } from '../model/model-gateway.ts';
import { type ModelTokens, mostOf, spendOf } from '../model/spend.ts';
import { ContextStore } from './memory/prompt-context-store.ts';
import { ConversationChores } from './conversation-sync.ts';
import { ConversationForks } from './conversation-forks.ts';
import { CONVERSATION_MIGRATIONS } from './conversation-migrations.ts';
import { isWritten, updateIndex } from './conversation-list-store.ts';
import { countReferral } from './messages/crisis-days-store.ts';
import { ConversationStore, type Meta, type PersonaSnapshot } from './conversation-store.ts';
import { ForkStore } from './fork-store.ts';
import { type Opening, openingOf } from './messages/greetings-store.ts';
import { LiveTabs } from './live-sockets.ts';
import { LoreStore } from './prompt/lore-store.ts';
import { livingSessions } from './active-sessions-store.ts';
import type { LeftOut } from './memory/memory-contract.ts';
import { MemoryKeeper } from './memory/memory-summarizer.ts';
import { MemoryStore } from './memory/memory-store.ts';
import { MessageEdits } from './messages/message-edits.ts';
import { MessageRecords } from './messages/message-records-store.ts';
import { MessageStore } from './messages/message-store.ts';
import { MessageTrash } from './messages/message-trash.ts';
import { ModelAsks } from './turn/model-asks.ts';
import { personaById } from './prompt/persona-source-store.ts';
import { ReferralStore } from './messages/referrals-store.ts';
import { gated, keepingPrompt } from './moderation/moderate-stream.ts';
import { judgeOf, type TextJudge } from './moderation/text-moderator.ts';
import { REPLY_TEMPERATURE, REPLY_TOKENS } from './prompt/build-prompt.ts';
import { composeAsk, composeTurn, leftOutNow, pinsFit, readAsked } from './prompt/compose-prompt.ts';
import { storyAround } from './moderation/moderation-context.ts';
import { StoryLore } from './prompt/conversation-lore.ts';
import { namesOf, personName } from './conversation-names.ts';
import { logFailure, TurnEngine } from './turn/turn-engine.ts';
import { TurnStore } from './turn/turn-store.ts';

/** An alarm watches while a reply is written or somebody has still to be told something. */
export const WATCH_MS = 30_000;
/** What is remembered is to be true, not lively. */
const NOTES_TEMPERATURE = 0.2;
/** A few sentences. */
const NOTES_TOKENS = 400;

/** The parts of a conversation that exists. */
export interface Parts {
  store: ConversationStore;
  messages: MessageStore;
  /** How the story began; null when nothing stands there. */
  opening: () => Opening | null;
  lore: StoryLore;
  records: MessageRecords;
  trash: MessageTrash;
  turns: TurnStore;
  referrals: ReferralStore;
  judge: TextJudge;
  memory: MemoryStore;
  /** What the person pinned or noted that the model would not be told now. */
  leftOut: () => LeftOut[];
  contexts: ContextStore;
  engine: TurnEngine;
  edits: MessageEdits;
  asks: ModelAsks;
  keeper: MemoryKeeper;
  chores: ConversationChores;
  forks: ConversationForks;
  tabs: LiveTabs;
}

/** Connects the rules of a conversation to storage, wallet, model, lists and tabs. */
export function openParts(ctx: DurableObjectState, env: Env): Parts {
  migrateObject(ctx.storage, CONVERSATION_MIGRATIONS);
  const { sql } = ctx.storage;
  const atomically = <T>(write: () => T): T => ctx.storage.transactionSync(write);
  const watch = () => void ctx.storage.setAlarm(Date.now() + WATCH_MS);
  const wallet = (userId: string) => env.WALLETS.get(env.WALLETS.idFromName(userId));
  /** Counts what a model was asked beside turns. The day's budget knows the most of it while it runs. */
  const aside = (tokens: ModelTokens) => ctx.waitUntil(countBeside(env, tokens));
  const reserve = (
    payerId: string,
    reservationId: string,
    { standing, model, replyTokens }: { standing: Standing; model: ChosenModel; replyTokens: number },
  ) => {
    prepareToAsk(env);
    const { id } = store.meta() as Meta;
    return wallet(payerId).reserve(reservationId, id, standing, mostOf(model, replyTokens));
  };

  const store = new ConversationStore(sql);
  const memory = new MemoryStore(sql);
  const messages = new MessageStore(sql, (ids) => {
    store.queueForSearch(ids);
    memory.refresh(ids);
  });
  const records = new MessageRecords(sql, messages.changed);
  const trash = new MessageTrash(sql);
  const turns = new TurnStore(sql);
  const referrals = new ReferralStore(sql);
  const judgeReply: TextJudge['reply'] = (rating, replyId) =>
    keepingPrompt(
      judge.reply(rating, replyId, messages.crisisBefore(replyId) !== null),
      namesOf(store.meta() as Meta),
    );
  const contexts = new ContextStore(sql);
  const tabs = new LiveTabs(ctx, (publicIds) => livingSessions(openDatabase(env.DB), publicIds, Date.now()));
  const lore = new StoryLore(new LoreStore(sql));
  const judge = judgeOf(
    moderatorOf(env),
    (beforeId) => storyAround({ meta: store.meta() as Meta, messages, memory, lore }, beforeId),
    async (text, rule, beside) => {
      const { ownerId: userId } = store.meta() as Meta;
      const grant = await grantOf({ userId, place: 'message', rule, text }, { beside });
      return isLetBy(openDatabase(env.DB), grant);
    },
  );
  const read = { store, messages, memory, contexts, lore };
  /** The model that is likely to write next: the one that wrote last, or the one that is recommended. */
  const likely = () =>
    contexts.newestModel() ??
    chooseModel(readEnvironment(env).models, 'recommended', (store.meta() as Meta).character.model_type);

  /** Looks up the persona as it is by now; while it cannot be had, the one known stays. */
  const refreshPersona = async (): Promise<void> => {
    const { persona, ownerId } = store.meta() as Meta;
    if (persona === null) return;
    try {
      const now = await personaById(openDatabase(env.DB), ownerId, persona.id);
      if (!isSame(persona, now)) edits.takePersona(now);
    } catch (error) {
      logFailure('persona_waits', error);
    }
  };
  const engine: TurnEngine = new TurnEngine(store, messages, turns, {
    atomically,
    reserve: async (payerId, reservationId, _, asked) =>
      reserve(payerId, reservationId, { ...asked, replyTokens: REPLY_TOKENS }),
    refreshPersona,
    compose: (turn, model, rating) => composeTurn(read, turn, { model, rating }),
    begun: (replyId, by) => tabs.tell({ type: 'turn', reply_id: replyId }, by),
    settle: (settlement) => chores.settle(settlement),
    ask: (model, { messages: told, tokens }, { signal, sent }) =>
      askModel(
        env,
        model,
        {
          messages: told,
          maxTokens: REPLY_TOKENS,
          temperature: REPLY_TEMPERATURE,
          serviceTier: model.serviceTier,
        },
        { signal, sent, promptTokens: tokens },
      ),
    judge: judgeReply,
    watch,
    promptTokens: (versionId) => contexts.promptTokens(versionId),
    measured: (figures) => chores.measured(figures),
    ended: async (model) => {
      await chores.do();
      // Remembering is slow and nobody waits for it.
      const { contextStartId } = store.meta() as Meta;
      ctx.waitUntil(keeper.consider({ beforeId: contextStartId, model }));
    },
  });
  const edits = new MessageEdits(store, messages, trash, {
    atomically,
    isWriting: (messageId) => engine.isWriting(messageId),
    pinsFit: () => pinsFit(read, likely()),
    refer: (messageId, kind, now) => referrals.add(messageId, kind, now),
    newId,
  });
  const asks: ModelAsks = new ModelAsks(turns, {
    reserve: async (payerId, reservationId, asked) => {
      const [reserved] = await Promise.all([
        reserve(payerId, reservationId, { ...asked, replyTokens: REPLY_TOKENS }),
        refreshPersona(),
      ]);
      return reserved;
    },
    settle: (settlement) => chores.settle(settlement),
    points: async (payerId) => wallet(payerId).status(),
    compose: (kind, model, rating) => composeAsk(read, kind, { model, rating }),
    ask: (model, { messages: asked, replyTokens }, { rating, signal, spent }) => {
      const request = {
        messages: asked,
        maxTokens: replyTokens,
        temperature: REPLY_TEMPERATURE,
        serviceTier: model.serviceTier,
      };
      const told = (tokens: ModelTokens) => {
        aside(tokens);
        spent(spendOf(model.prices, tokens.promptTokens, tokens.replyTokens));
      };
      const asking = askModel(env, model, request, { signal, spent: told });
      return gated(asking, judgeReply(rating, null), { signal });
    },
    read: (kind, answer) => readAsked(kind, answer, personName(store.meta() as Meta)),
    watch,
  });
  const keeper = new MemoryKeeper(memory, {
    atomically,
    // Nobody waits for it: it stands in nobody's way.
    ask: (model, messages, signal) =>
      askModel(
        env,
        model,
        { messages, maxTokens: NOTES_TOKENS, temperature: NOTES_TEMPERATURE },
        { signal, spent: aside },
      ),
    mayBeKept: (notes) => judge.mayBeKept(notes),
    names: () => namesOf(store.meta() as Meta),
    written: () => tabs.tell({ type: 'changed', message_ids: [] }, null),
  });
  const chores = new ConversationChores(
    {
      store,
      messages,
      turns,
      memory,
      referrals,
    },
    {
      settle: async ({ payerId, versionId, replyId, outcome, what, spend }, conversationId) =>
        outcome === 'settle'
          ? wallet(payerId).settle(versionId, replyId, what, spend)
          : wallet(payerId).release(versionId, conversationId, replyId, what, spend),
      writeIndex: (row, more) => {
        // What the site says to itself is nobody's chat, and no figure.
        const isOwn = store.meta()?.ownerId === HOUSE_VISITOR;
        return updateIndex(openDatabase(env.DB), row, isOwn ? { countChat: false, figures: [] } : more);
      },
      isWritten: (id, lastMessageAt) => isWritten(openDatabase(env.DB), id, lastMessageAt),
      countReferral: (referral) => countReferral(openDatabase(env.DB), referral),
      tellSearch: async (ownerId, changes) =>
        env.SEARCHES.get(env.SEARCHES.idFromName(ownerId)).apply(changes),
      isHeld: (reservationId) => asks.holds(reservationId),
    },
  );
  const forks = new ConversationForks(new ForkStore(sql), {
    source: () => ({ meta: store.meta() as Meta, records, memory, lore }),
    refusal: (messageId) => {
      if (messages.message(messageId) === null) return { ok: false, code: 'not_found' };
      return engine.isWriting(messageId) ? { ok: false, code: 'reply_in_progress' } : null;
    },
    conversation: (id) => env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id)),
  });
  const leftOut = () => leftOutNow(read, likely());
  return {
    store,
    messages,
    opening: () => openingOf(sql),
    lore,
    records,
    trash,
    turns,
    referrals,
    judge,
    memory,
    leftOut,
    contexts,
    engine,
    edits,
    asks,
    keeper,
    chores,
    forks,
    tabs,
  };
}

function isSame(a: PersonaSnapshot, b: PersonaSnapshot | null): boolean {
  return b !== null && a.name === b.name && a.description === b.description;
}
