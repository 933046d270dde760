import type { ChosenModel } from '../../model/choose-model.ts';
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
import { getMacroNames, getPersonName } from '../macro-names.ts';
import type { ComposedTurn } from '../turn/turn-port.ts';
import type { OpenTurn } from '../turn/turn-store.ts';

/** The stores that prompts are built from. */
interface PromptSources {
  store: ConversationStore;
  messages: MessageStore;
  memory: MemoryStore;
  contexts: PromptContextStore;
  lore: ConversationLore;
}

/** The model and the content rating of a prompt. */
interface PromptTarget<Model extends PromptModel = PromptModel> {
  model: Model;
  rating: Rating;
}

/**
 * Builds the prompt of a turn. Nothing is stored until `keep` is called, which saves the prompt's record and the start of
 * the context.
 */
export function buildTurnPrompt(
  sources: PromptSources,
  turn: OpenTurn,
  by: PromptTarget<ChosenModel>,
): ComposedTurn {
  const { store, messages, contexts } = sources;
  const getBegun = () => messages.findVersion(turn.replyId, turn.versionId)?.content ?? '';
  const input = collectInput(sources, turn.replyId, by);
  const prompt = buildFromInput(
    sources,
    turn.replyId,
    turn.kind === 'continue'
      ? { kind: 'continue', replyId: turn.replyId, text: getBegun().slice(0, turn.baseLength) }
      : { kind: 'reply' },
    input,
  );
  const sourceIds = {
    notes: input.memory.map(({ id }) => id),
    pinned: input.pinned.map(({ id }) => id),
  };
  const save = contexts.createSaver(turn.versionId, prompt.record, sourceIds);
  return {
    messages: prompt.messages,
    tokens: prompt.record.estimated_tokens,
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
export function buildAssistPrompt(
  sources: PromptSources,
  kind: AskKind,
  by: PromptTarget<ChosenModel>,
): AskPrompt {
  return buildFromInput(sources, null, { kind }, collectInput(sources, null, by));
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
  input: ReturnType<typeof collectInput>,
): Prompt {
  return buildPrompt({
    ...input,
    history: replyId === null ? messages.readHistory() : messages.readHistoryBefore(replyId),
    crisis: messages.crisisBefore(replyId)?.kind ?? null,
    task,
  });
}

/** Collects the input except history and task. */
function collectInput(
  { store, messages, memory, lore }: PromptSources,
  replyId: string | null,
  { model, rating }: PromptTarget,
) {
  const meta = store.getMeta() as ConversationMeta;
  const { character } = meta;
  return {
    character: toPromptCharacter({ ...character, first_message: messages.getOpeningText() }),
    lore: lore.getPromptLore(getMacroNames(meta)),
    startedAt: meta.createdAt,
    persona: { name: getPersonName(meta), description: meta.persona?.description ?? '' },
    memory: memory.listLive(replyId ?? undefined),
    pinned: messages.pinned(replyId ?? undefined),
    rating,
    model: model.id,
    contextTokens: model.contextTokens,
    tokenizer: model.tokenizer,
    startId: meta.contextStartId,
  } satisfies Omit<PromptInput, 'history' | 'task'>;
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
