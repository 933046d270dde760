// Over 400 lines: every connection of a conversation to what is outside it.
import { migrateObject } from '../../db/object-migrations.ts';
import { isExempt } from '../safety/appeal-exemption-statements.ts';
import { openDatabase } from '../../db/open.ts';
import { readEnvironment } from '../../env/read-environment.ts';
import { createId } from '../../lib/ids.ts';
import { logFailure } from '../../lib/log.ts';
import { buildRefusalCandidate } from '../moderation/appeal-token.ts';
import { SYNTHETIC_USER_ID } from '../account/synthetic-user.ts';
import { createSiteModerator } from '../model/moderator-gateway.ts';
import type { Entitlement } from '../wallet/ledger.ts';
import { chooseModel, type ChosenModel } from '../model/choose-model.ts';
import { readContextRatios, rememberContextRatio } from '../model/context-ratio-gateway.ts';
import type { Script } from '../model/estimate-tokens.ts';
import { isBudgetHalfUsed, streamCompletion, recordUsage, prefetchBudget } from '../model/model-gateway.ts';
import { type ModelTokens, calculateMaxSpend, calculateSpend } from '../model/spend.ts';
import { PromptContextStore, type PromptModel } from './memory/prompt-context-store.ts';
import { ConversationSync } from './conversation-sync.ts';
import { ConversationForks } from './conversation-forks.ts';
import { CONVERSATION_MIGRATIONS } from './conversation-migrations.ts';
import { updateConversationRow } from './conversation-rows-store.ts';
import { addFigures } from './turn/turn-figures-store.ts';
import { countReferral } from './messages/crisis-days-store.ts';
import { countRatingChanges } from './messages/rating-totals-store.ts';
import { ConversationStore, type ConversationMeta, type PersonaSnapshot } from './conversation-store.ts';
import { ForkStore } from './fork-store.ts';
import { type Opening, findOpening } from './messages/greetings-store.ts';
import { LiveSockets } from './live-sockets.ts';
import { findActiveSessions } from './access/active-sessions-store.ts';
import type { OmittedItem } from './memory/memory-contract.ts';
import { MemorySummarizer } from './memory/memory-summarizer.ts';
import { MemoryStore } from './memory/memory-store.ts';
import { MessageEdits } from './messages/message-edits.ts';
import { MessageRecords } from './messages/message-records-store.ts';
import { type MessageEffects, MessageStore } from './messages/message-store.ts';
import { MessageTrash } from './messages/message-trash.ts';
import { ModelAsks } from './turn/model-asks.ts';
import { findPersona } from './prompt/persona-source-store.ts';
import { ReferralStore } from './messages/referrals-store.ts';
import {
  moderateStream,
  withDefinitionLeakGuard,
  withPromptLeakGuard,
  createTextModerator,
  type TextModerator,
} from './moderation/moderate-stream.ts';
import { REPLY_TEMPERATURE } from '../reply-style/reply-style.ts';
import { calculateReplyTokens, MAX_REPLY_TOKENS } from './prompt/reply-tokens.ts';
import {
  buildAssistPrompt,
  buildTurnPrompt,
  findOmitted,
  canFitPins,
  parseAssistAnswer,
} from './prompt/compose-prompt.ts';
import { buildConversationContext } from './moderation/moderation-context.ts';
import { ConversationLore } from './prompt/conversation-lore.ts';
import { ReplySettingsStore } from './prompt/reply-settings-store.ts';
import { readRuntimeConfig } from '../runtime-config/runtime-config-gateway.ts';
import { isModelTitleDue, writeModelTitle } from './title/model-title.ts';
import { getMacroNames, getPersonName } from './macro-names.ts';
import { TurnEngine } from './turn/turn-engine.ts';
import { TurnStore } from './turn/turn-store.ts';

/**
 * Delay of the alarm that resumes the work if the object is evicted while a reply is being written or a sync is pending.
 */
export const WATCH_INTERVAL_MS = 30_000;
/**
 * The same for the alarm that a turn sets: it stays for the turns that follow, so that a sitting needs few alarms. A visit
 * wakes the object sooner.
 */
const TURN_WATCH_MS = 120_000;
/** Low, because memory notes have to be accurate rather than lively. */
const NOTES_TEMPERATURE = 0.2;
/** Enough for a few sentences. */
const MAX_NOTES_TOKENS = 400;
/** Enough for a title in any script. */
const MAX_TITLE_TOKENS = 60;

/** The parts of an existing conversation. */
export interface ConversationParts {
  store: ConversationStore;
  messages: MessageStore;
  /** The first message with its state; null when there is none. */
  opening: () => Opening | null;
  lore: ConversationLore;
  replySettings: ReplySettingsStore;
  records: MessageRecords;
  trash: MessageTrash;
  turns: TurnStore;
  referrals: ReferralStore;
  judge: TextModerator;
  memory: MemoryStore;
  /** The pinned messages and notes that would not fit into the next prompt. */
  listOmitted: () => OmittedItem[];
  contexts: PromptContextStore;
  engine: TurnEngine;
  edits: MessageEdits;
  assist: ModelAsks;
  summarizer: MemorySummarizer;
  sync: ConversationSync;
  forks: ConversationForks;
  tabs: LiveSockets;
}

/** Connects the conversation's rules to storage, wallet, model, lists and sockets. */
export function createConversationParts(ctx: DurableObjectState, env: Env): ConversationParts {
  migrateObject(ctx.storage, CONVERSATION_MIGRATIONS);
  const { sql } = ctx.storage;
  const scheduleWatch = () => {
    const [now, at] = [Date.now(), store.getWakeAt()];
    if (at > now && at <= now + TURN_WATCH_MS) return;
    store.setWakeAt(now + TURN_WATCH_MS);
    void ctx.storage.setAlarm(now + TURN_WATCH_MS);
  };
  const getWallet = (userId: string) => env.WALLETS.get(env.WALLETS.idFromName(userId));
  /** Counts the model usage outside turns. The daily budget counts most of it already while the call runs. */
  const recordAside = (tokens: ModelTokens) => ctx.waitUntil(recordUsage(env, tokens));
  /** The usage of memory notes that is not recorded yet, by model: one row for all calls after a turn. */
  const notesUsage = new Map<string, ModelTokens>();
  const addNotesUsage = (tokens: ModelTokens) => {
    const { promptTokens = 0, replyTokens = 0 } = notesUsage.get(tokens.model) ?? {};
    notesUsage.set(tokens.model, {
      model: tokens.model,
      promptTokens: promptTokens + tokens.promptTokens,
      replyTokens: replyTokens + tokens.replyTokens,
    });
  };
  const recordNotesUsage = () => {
    for (const tokens of notesUsage.values()) recordAside(tokens);
    notesUsage.clear();
  };
  const reserve = (
    payerId: string,
    reservationId: string,
    {
      entitlement,
      model,
      replyTokens,
    }: { entitlement: Entitlement; model: ChosenModel; replyTokens: number },
  ) => {
    prefetchBudget(env);
    const { id } = store.getMeta() as ConversationMeta;
    return getWallet(payerId).reserve(reservationId, id, entitlement, calculateMaxSpend(model, replyTokens));
  };

  const store = new ConversationStore(sql, (write) => ctx.storage.transactionSync(write));
  const atomically = <T>(write: () => T): T => store.atomically(write);
  const memory = new MemoryStore(sql);
  const effects: MessageEffects = {
    count: (more) => store.addToMessageCount(more),
    getCharacterId: () => (store.getMeta() as ConversationMeta).character.id,
    notifyChanged: (ids) => {
      store.queueForSearch(ids);
      memory.refresh(ids);
    },
    getSearchPosition: () => store.getSearchPosition(),
  };
  const messages = new MessageStore(sql, effects);
  const records = new MessageRecords(sql, effects);
  const trash = new MessageTrash(sql, effects.count);
  const turns = new TurnStore(sql, store);
  const referrals = new ReferralStore(sql);
  const moderateReply: TextModerator['moderateReply'] = (rating, replyId) =>
    withPromptLeakGuard(
      judge.moderateReply(rating, replyId, messages.crisisBefore(replyId) !== null),
      getMacroNames(store.getMeta() as ConversationMeta),
    );
  const contexts = new PromptContextStore(sql);
  const findActive = (publicIds: string[]) => findActiveSessions(openDatabase(env.DB), publicIds, Date.now());
  const tabs = new LiveSockets(ctx, findActive);
  const lore = new ConversationLore(() => store.getCopy());
  const replySettings = new ReplySettingsStore(sql);
  const judge = createTextModerator(
    createSiteModerator(env),
    (beforeId, authorNote = replySettings.get().author_note) =>
      buildConversationContext(
        { meta: store.getMeta() as ConversationMeta, messages, memory, lore, authorNote },
        beforeId,
      ),
    async (text, rule, evidence) => {
      const { ownerId: userId } = store.getMeta() as ConversationMeta;
      const grant = await buildRefusalCandidate(
        { userId, place: 'message', rule, text },
        { beside: evidence },
      );
      return isExempt(openDatabase(env.DB), grant);
    },
  );
  const promptSources = { store, messages, memory, contexts, lore, replySettings };
  /** The model that will probably write next: the latest one, or the recommended one. */
  const findLikelyModel = (): PromptModel | null => {
    const latest = contexts.findLatestModel();
    const { model_type: type } = (store.getMeta() as ConversationMeta).character;
    const configured = chooseModel(readEnvironment(env).models, latest?.id ?? 'recommended', type);
    return latest === null ? configured : { ...latest, tokenizer: configured?.tokenizer ?? null };
  };

  /** Loads the persona's current state; when the lookup fails, the stored snapshot stays in use. */
  const refreshPersona = async (): Promise<void> => {
    const { persona, ownerId } = store.getMeta() as ConversationMeta;
    if (persona === null) return;
    try {
      const now = await findPersona(openDatabase(env.DB), ownerId, persona.id);
      if (!isSamePersona(persona, now)) edits.updateNames({ persona: now });
    } catch (error) {
      logFailure('persona_deferred', error);
    }
  };
  const createRatioSaver = (model: ChosenModel) => (script: Script, ratio: number) =>
    rememberContextRatio(env, model, script, ratio);
  const engine: TurnEngine = new TurnEngine(
    { store, messages, turns },
    {
      atomically,
      reserve: async (payerId, reservationId, asked) =>
        reserve(payerId, reservationId, {
          ...asked,
          // As many as the prompt's (`compose`).
          replyTokens: calculateReplyTokens(replySettings.get().reply_length, asked.model),
        }),
      prepare: async (model) => {
        const [contextRatios] = await Promise.all([readContextRatios(env, model), refreshPersona()]);
        return contextRatios;
      },
      compose: (turn, by) =>
        buildTurnPrompt(promptSources, turn, { ...by, rememberRatio: createRatioSaver(by.model) }),
      begun: (replyId, by) => {
        tabs.broadcast({ type: 'turn', reply_id: replyId }, by);
        // List a new conversation at once: its first reply may take a while, and the user may leave before its end.
        if (store.getMeta()?.isD1Begun === false) ctx.waitUntil(sync.flush());
      },
      settle: (settlement) => sync.settle(settlement),
      ask: (model, { messages: asked, tokens, replyTokens, temperature }, { signal, sent }) =>
        streamCompletion(
          env,
          model,
          {
            messages: asked,
            maxTokens: replyTokens,
            temperature,
            serviceTier: model.serviceTier,
            cacheKey: (store.getMeta() as ConversationMeta).id,
          },
          { signal, sent, promptTokens: tokens },
        ),
      judge: moderateReply,
      judgeThinking: ({ rating, ownsCharacter }, replyId) => {
        const moderator = moderateReply(rating, replyId);
        if (ownsCharacter) return moderator;
        const names = getMacroNames(store.getMeta() as ConversationMeta);
        return withDefinitionLeakGuard(moderator, names, lore.getPromptParts(names));
      },
      watch: scheduleWatch,
      promptTokens: (versionId) => contexts.getPromptTokens(versionId),
      measured: (figures) => sync.recordFigures(figures),
      isShown: () => tabs.isOpen,
      findActive,
      ended: async (model) => {
        await sync.flush();
        if (await isBudgetHalfUsed(env)) await sync.endSitting();
        // Writing memory notes is slow and nothing depends on it, so do not await it.
        const { contextStartId } = store.getMeta() as ConversationMeta;
        const beforeId = contexts.nextStartId ?? contextStartId;
        ctx.waitUntil(summarizer.schedule({ beforeId, model }).then(recordNotesUsage));
        ctx.waitUntil(addModelTitle(model));
      },
      keepAlive: (work) => ctx.waitUntil(work),
    },
  );
  const edits = new MessageEdits(store, messages, trash, {
    atomically,
    isWriting: (messageId) => engine.isWriting(messageId),
    hasWritten: (versionId) => turns.hasWritten(versionId),
    canFitPins: () => canFitPins(promptSources, findLikelyModel()),
    recordReferral: (messageId, kind, now) => referrals.add(messageId, kind, now),
    createId,
  });
  const asks: ModelAsks = new ModelAsks(turns, {
    reserve: async (payerId, reservationId, asked) => {
      const [reserved] = await Promise.all([
        reserve(payerId, reservationId, { ...asked, replyTokens: MAX_REPLY_TOKENS }),
        refreshPersona(),
        readContextRatios(env, asked.model),
      ]);
      return reserved;
    },
    settle: (settlement) => sync.settle(settlement),
    points: async (payerId) => getWallet(payerId).getStatus(),
    compose: async (kind, model, rating) =>
      buildAssistPrompt(promptSources, kind, {
        model,
        rating,
        contextRatios: await readContextRatios(env, model),
        rememberRatio: createRatioSaver(model),
      }),
    ask: (model, { messages: asked, replyTokens }, { rating, signal, spent }) => {
      const request = {
        messages: asked,
        maxTokens: replyTokens,
        temperature: REPLY_TEMPERATURE,
        serviceTier: model.serviceTier,
      };
      const recordTokens = (tokens: ModelTokens) => {
        recordAside(tokens);
        spent(calculateSpend(model.prices, tokens.promptTokens, tokens.replyTokens));
      };
      const completion = streamCompletion(env, model, request, { signal, spent: recordTokens });
      return moderateStream(completion, moderateReply(rating, null), { signal });
    },
    read: (kind, answer) =>
      parseAssistAnswer(kind, answer, getPersonName(store.getMeta() as ConversationMeta)),
    watch: scheduleWatch,
  });
  const summarizer = new MemorySummarizer(memory, {
    atomically,
    // No service tier: no user waits for this call, so it needs no priority.
    streamCompletion: (model, messages, signal) =>
      streamCompletion(
        env,
        model,
        { messages, maxTokens: MAX_NOTES_TOKENS, temperature: NOTES_TEMPERATURE },
        { signal, spent: addNotesUsage },
      ),
    isAllowed: (notes) => judge.isAllowed(notes),
    getNames: () => getMacroNames(store.getMeta() as ConversationMeta),
    onWritten: () => tabs.broadcast({ type: 'changed', message_ids: [] }, null),
  });
  /** Lets a model title the conversation, if the operator has switched that on. */
  const addModelTitle = async (model: ChosenModel): Promise<void> => {
    const meta = store.getMeta();
    if (meta === null || !isModelTitleDue(meta) || isSynthetic()) return;
    if ((await readRuntimeConfig(env)).model_titles === 'off') return;
    await writeModelTitle({
      getMeta: () => store.getMeta(),
      readHistory: () => messages.readHistory(),
      getNames: () => getMacroNames(store.getMeta() as ConversationMeta),
      ask: (asked, signal) =>
        streamCompletion(
          env,
          model,
          { messages: asked, maxTokens: MAX_TITLE_TOKENS, temperature: NOTES_TEMPERATURE },
          { signal, spent: recordAside },
        ),
      isAllowed: (title) => judge.isAllowed(title),
      save: async (title) => {
        store.setModelTitle(title);
        tabs.broadcast({ type: 'changed', message_ids: [] }, null);
        await sync.flush();
      },
    });
  };
  /** The synthetic check's conversation must not count as a chat or appear in metrics. */
  const isSynthetic = () => store.getMeta()?.ownerId === SYNTHETIC_USER_ID;
  const sync = new ConversationSync(
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
          ? getWallet(payerId).settle(versionId, replyId, what, spend)
          : getWallet(payerId).release(versionId, conversationId, replyId, what, spend),
      updateD1Row: (row, completedAt, copy) =>
        updateConversationRow(openDatabase(env.DB), row, isSynthetic() ? null : completedAt, copy),
      measure: () => sql.databaseSize,
      addFigures: async (figures) => {
        if (!isSynthetic()) await addFigures(openDatabase(env.DB), figures);
      },
      countReferral: (referral) => countReferral(openDatabase(env.DB), referral),
      countRatingChanges: async (conversationId, changes) => {
        if (!isSynthetic()) await countRatingChanges(openDatabase(env.DB), conversationId, changes);
      },
      updateIndex: async (ownerId, changes, row) =>
        env.SEARCHES.get(env.SEARCHES.idFromName(ownerId)).apply(changes, row, ownerId),
      isHeld: (reservationId) => asks.holds(reservationId),
    },
  );
  const forks = new ConversationForks(new ForkStore(sql), {
    getSource: () => ({
      meta: store.getMeta() as ConversationMeta,
      character: store.getCharacter(),
      records,
      memory,
      lore,
      replySettings,
    }),
    getRefusal: (messageId) => {
      if (messages.findMessage(messageId) === null) return { ok: false, code: 'not_found' };
      return engine.isWriting(messageId) ? { ok: false, code: 'reply_in_progress' } : null;
    },
    conversation: (id) => env.CONVERSATIONS.get(env.CONVERSATIONS.idFromName(id)),
  });
  const leftOut = () => findOmitted(promptSources, findLikelyModel());
  return {
    store,
    messages,
    opening: () => findOpening(sql),
    lore,
    replySettings,
    records,
    trash,
    turns,
    referrals,
    judge,
    memory,
    listOmitted: leftOut,
    contexts,
    engine,
    edits,
    assist: asks,
    summarizer,
    sync,
    forks,
    tabs,
  };
}

function isSamePersona(a: PersonaSnapshot, b: PersonaSnapshot | null): boolean {
  return b !== null && a.name === b.name && a.description === b.description;
}
