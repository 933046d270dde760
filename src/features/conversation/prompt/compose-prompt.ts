import type { ChosenModel } from '../../model/choose-model.ts';
import type { ContextRatios, Script } from '../../model/estimate-tokens.ts';
import type { PromptContextStore, PromptModel } from '../memory/prompt-context-store.ts';
import type { CharacterSnapshot, ConversationStore, ConversationMeta } from '../conversation-store.ts';
import type { OmittedItem } from '../memory/memory-contract.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { AskKind, AskPrompt } from '../turn/model-asks.ts';
import { buildPrompt, type Prompt, type PromptInput, canFitUserContext } from './build-prompt.ts';
import { parseDraft, parseSuggestions } from '../../model/parse-completion.ts';
import type { PromptCharacter, PromptTask } from './prompt-sections.ts';
import type { Rating } from '../character/character-state.ts';
import type { ConversationLore } from './conversation-lore.ts';
import type { ReplySettingsStore } from './reply-settings-store.ts';
import { getTemperature } from '../../reply-style/reply-style.ts';
import { calculateReplyTokens } from './reply-tokens.ts';
import { getMacroNames, getPersonName } from '../macro-names.ts';
import type { Retryable } from '../turn/ask-again.ts';
import { getReplySpeakers } from '../turn/reply-text.ts';
import type { ComposedTurn } from '../turn/turn-port.ts';
import type { OpenTurn } from '../turn/turn-store.ts';

/** The stores that prompts are built from. */
interface PromptSources {
  store: ConversationStore;
  messages: MessageStore;
  memory: MemoryStore;
  contexts: PromptContextStore;
  lore: ConversationLore;
  replySettings: ReplySettingsStore;
}

/** The model and the content rating of a prompt. */
interface PromptTarget<Model extends PromptModel = PromptModel> {
  model: Model;
  rating: Rating;
  contextRatios?: ContextRatios;
}

/** The same of a prompt that is sent. */
interface SentPromptTarget extends PromptTarget<ChosenModel> {
  /** Remembers how many times smaller the model's window is for a script. */
  rememberRatio: (script: Script, ratio: number) => void;
}

/**
 * Builds the prompt of a turn. Nothing is stored until `keep` is called, which saves the prompt's record and the start of
 * the context.
 */
export function buildTurnPrompt(sources: PromptSources, turn: OpenTurn, by: SentPromptTarget): ComposedTurn {
  const { messages } = sources;
  const getBegun = () => messages.findVersion(turn.replyId, turn.versionId)?.content ?? '';
  const regenerateNote = turn.kind === 'regenerate' ? messages.findRegenerateNote(turn.replyId) : null;
  const input = {
    ...collectInput(sources, turn.replyId, by),
    ...(regenerateNote === null ? {} : { regenerateNote }),
  };
  const task: PromptTask =
    turn.kind === 'continue'
      ? { kind: 'continue', replyId: turn.replyId, text: getBegun().slice(0, turn.baseLength) }
      : { kind: 'reply' };
  return withRetry(by, input, (refitted, isShortened) => {
    const prompt = buildFromInput(sources, turn.replyId, task, refitted);
    const record = isShortened ? { ...prompt.record, shortened: true } : prompt.record;
    return toComposedTurn(sources, turn, { ...prompt, record }, refitted);
  });
}

function toComposedTurn(
  { store, messages, contexts, replySettings }: PromptSources,
  turn: OpenTurn,
  prompt: Prompt,
  input: ComposedInput,
) {
  const sourceIds = {
    notes: input.memory.map(({ id }) => id),
    pinned: input.pinned.map(({ id }) => id),
  };
  const save = contexts.createSaver(turn.versionId, prompt.record, sourceIds);
  return {
    prompt,
    messages: prompt.messages,
    tokens: prompt.record.estimated_tokens,
    replyTokens: prompt.replyTokens,
    temperature: getTemperature(replySettings.get().liveliness),
    speakers: getReplySpeakers(prompt.names, input.character.pointOfView === 'multiPeople'),
    keep: () => {
      save(Date.now());
      // The start of the context belongs to the latest reply, not to an older one that is regenerated.
      if (!messages.isNewest(turn.replyId)) return;
      store.setContextStart(prompt.record.first_history_id);
      contexts.nextStartId = prompt.nextStartId;
    },
  };
}

/** Builds the prompt of an assist request. */
export function buildAssistPrompt(sources: PromptSources, kind: AskKind, by: SentPromptTarget): AskPrompt {
  return withRetry(by, collectInput(sources, null, by), (input) => {
    const prompt = buildFromInput(sources, null, { kind }, input);
    return { prompt, messages: prompt.messages, replyTokens: prompt.replyTokens };
  });
}

/** The share of the estimated window that the next prompt fills, once the provider has said how large it really is. */
const CERTAIN_SHARE = 0.97;

/**
 * Composes a prompt that can be shortened when the provider refuses it for its length. The shorter one is built for a window
 * without half of the history, as the next turn will build it, too: the ratio of that window is remembered.
 */
export function withRetry<
  Input extends Pick<PromptInput, 'contextTokens' | 'contextRatios' | 'fillsRoom'>,
  Composed extends { prompt: Prompt },
>(
  { model, rememberRatio }: { model: PromptModel } & Pick<SentPromptTarget, 'rememberRatio'>,
  input: Input,
  compose: (input: Input, isShortened: boolean) => Composed,
  isShortened = false,
): Composed & Retryable<Composed> {
  const composed = compose(input, isShortened);
  const { estimatedTokens, replyTokens, script, record } = composed.prompt;
  const used = estimatedTokens + replyTokens;
  const history = record.sections.find(({ kind }) => kind === 'history')?.tokens ?? 0;
  const half = used - Math.ceil(history / 2);
  return {
    ...composed,
    shorten: (excess) => {
      const fitting = excess === null ? half : Math.max(half, Math.floor((used / excess) * CERTAIN_SHARE));
      rememberRatio(script, model.contextTokens / fitting);
      const refitted = { ...input, contextTokens: half, contextRatios: {}, fillsRoom: true };
      const shorter = withRetry({ model, rememberRatio }, refitted, compose, true);
      return shorter.prompt.estimatedTokens < estimatedTokens ? shorter : null;
    },
  };
}

/** Parses the answer to an assist request; empty when it is unusable. */
export function parseAssistAnswer(kind: AskKind, answer: string, person: string): string[] {
  if (kind === 'suggestions') return parseSuggestions(answer) ?? [];
  const draft = parseDraft(answer, person);
  return draft === '' ? [] : [draft];
}

/**
 * Lists the user's pinned messages and notes that would not fit if the next reply were written now.
 * @param model the model that will probably write; null when there is none
 */
export function findOmitted(sources: PromptSources, model: PromptModel | null): OmittedItem[] {
  if (model === null) return [];
  const { messages, memory } = sources;
  // Usually there is nothing to omit, so do not read the history.
  if (messages.countPinned() === 0 && memory.listLive().every(({ author }) => author === 'model')) return [];
  const input = collectInput(sources, null, { model, rating: 'general' });
  return buildFromInput(sources, null, { kind: 'reply' }, input).record.left_out;
}

/** Whether all pinned messages and user notes fit into a prompt, independent of the history. */
export function canFitPins(sources: PromptSources, model: PromptModel | null): boolean {
  return model === null || canFitUserContext(collectInput(sources, null, { model, rating: 'general' }));
}

/** @param replyId the reply to write; the prompt contains nothing after it. Null for the end of the conversation */
function buildFromInput(
  { messages }: PromptSources,
  replyId: string | null,
  task: PromptTask,
  input: ComposedInput,
): Prompt {
  return buildPrompt({
    ...input,
    history: replyId === null ? messages.readHistory() : messages.readHistoryBefore(replyId),
    crisis: messages.crisisBefore(replyId)?.kind ?? null,
    task,
  });
}

type ComposedInput = Omit<PromptInput, 'history' | 'task'>;

/** Collects the input except history and task. */
function collectInput(
  { store, messages, memory, lore, replySettings }: PromptSources,
  replyId: string | null,
  { model, rating, contextRatios = {} }: PromptTarget,
): ComposedInput {
  const meta = store.getMeta() as ConversationMeta;
  const { character } = meta;
  const names = getMacroNames(meta);
  const settings = replySettings.get();
  return {
    character: toPromptCharacter({ ...character, first_message: messages.getOpeningText() }),
    parts: lore.getPromptParts(names),
    lore: lore.getPromptLore(names),
    startedAt: meta.createdAt,
    persona: { name: getPersonName(meta), description: meta.persona?.description ?? '' },
    memory: memory.listLive(replyId ?? undefined),
    pinned: messages.pinned(replyId ?? undefined),
    authorNote: settings.author_note,
    authorNoteDepth: settings.author_note_depth,
    replyLength: settings.reply_length,
    replyTokens: calculateReplyTokens(settings.reply_length, model),
    rating,
    model: model.id,
    contextTokens: model.contextTokens,
    tokenizer: model.tokenizer,
    startId: meta.contextStartId,
    contextRatios,
  };
}

/**
 * Converts a character for prompts.
 * @param character its `first_message` is the current opening of the conversation
 */
export function toPromptCharacter(
  character: Pick<
    CharacterSnapshot,
    'name' | 'oneliner' | 'character_traits' | 'first_message' | 'point_of_view' | 'nickname'
  >,
): PromptCharacter {
  return {
    name: character.name,
    oneliner: character.oneliner,
    characterTraits: character.character_traits,
    firstMessage: character.first_message,
    pointOfView: character.point_of_view,
    ...(character.nickname === undefined ? {} : { nickname: character.nickname }),
  };
}
