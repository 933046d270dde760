import type { ChosenModel } from '../../model/choice.ts';
import type { ContextStore, PromptModel } from '../memory/prompt-context-store.ts';
import type { CharacterSnapshot, ConversationStore, Meta } from '../conversation-store.ts';
import type { LeftOut } from '../memory/memory-contract.ts';
import type { MemoryStore } from '../memory/memory-store.ts';
import type { MessageStore } from '../messages/message-store.ts';
import type { AskKind, AskPrompt } from '../turn/model-asks.ts';
import { buildPrompt, type Prompt, type PromptInput, wishesFit } from './build-prompt.ts';
import { readDraft, readSuggestions } from '../../model/parse-completion.ts';
import type { PromptCharacter, PromptTask } from './prompt-sections.ts';
import type { Rating } from '../character/rating.ts';
import type { StoryLore } from './conversation-lore.ts';
import { namesOf, personName } from '../conversation-names.ts';
import type { ComposedTurn } from '../turn/turn-port.ts';
import type { Turn } from '../turn/turn-store.ts';

/** What prompts are made from. */
interface Sources {
  store: ConversationStore;
  messages: MessageStore;
  memory: MemoryStore;
  contexts: ContextStore;
  lore: StoryLore;
}

/** Which model writes, and what it may tell the person. */
interface Writer<Model extends PromptModel = PromptModel> {
  model: Model;
  rating: Rating;
}

/** The prompt of a turn, and what keeps it for whoever wants to look, with where it begins: nothing is written before. */
export function composeTurn(sources: Sources, turn: Turn, by: Writer<ChosenModel>): ComposedTurn {
  const { store, messages, memory, contexts } = sources;
  const reply = messages.version(turn.replyId, turn.versionId);
  const prompt = compose(
    sources,
    turn.replyId,
    turn.kind === 'continue'
      ? { kind: 'continue', text: (reply?.content ?? '').slice(0, turn.baseLength) }
      : { kind: 'reply' },
    by,
  );
  const told = {
    notes: memory.live(turn.replyId).map(({ id }) => id),
    pinned: messages.pinned(turn.replyId).map(({ id }) => id),
  };
  const save = contexts.keeping(turn.versionId, prompt.record, told);
  return {
    messages: prompt.messages,
    tokens: prompt.record.estimated_tokens,
    keep: () => {
      save(Date.now());
      // Where the context begins is told of the story as it goes on, not of an old reply that is written anew.
      if (messages.isNewest(turn.replyId)) store.setContextStart(prompt.record.first_history_id);
    },
  };
}

/** The prompt of something that is not a message. */
export function composeAsk(sources: Sources, kind: AskKind, by: Writer<ChosenModel>): AskPrompt {
  return compose(sources, null, { kind }, by);
}

/** The texts of an answer; empty when it is not what was asked for. */
export function readAsked(kind: AskKind, answer: string, person: string): string[] {
  if (kind === 'suggestions') return readSuggestions(answer) ?? [];
  const draft = readDraft(answer, person);
  return draft === '' ? [] : [draft];
}

/**
 * What the person pinned or noted that would not be told if the next reply were written now.
 * @param model the one that is likely to write; null when there is none
 */
export function leftOutNow(sources: Sources, model: PromptModel | null): LeftOut[] {
  if (model === null) return [];
  const { messages, memory } = sources;
  // As a rule there is nothing to leave out, and no history to be read for it.
  if (messages.pinnedCount() === 0 && memory.live().every(({ author }) => author === 'model')) return [];
  return compose(sources, null, { kind: 'reply' }, { model, rating: 'general' }).record.left_out;
}

/** Whether a model can be told all that is pinned and noted by the person, whatever is said besides. */
export function pinsFit(sources: Sources, model: PromptModel | null): boolean {
  return model === null || wishesFit(knownOf(sources, null, { model, rating: 'general' }));
}

/** @param replyId what is to be written; it may know nothing of what comes after it. Null at the end of the story */
function compose(sources: Sources, replyId: string | null, task: PromptTask, by: Writer): Prompt {
  const { messages } = sources;
  return buildPrompt({
    ...knownOf(sources, replyId, by),
    history: replyId === null ? messages.history() : messages.historyBefore(replyId),
    crisis: messages.crisisBefore(replyId)?.kind ?? null,
    task,
  });
}

/** What is told beside the history. */
function knownOf(
  { store, messages, memory, lore }: Sources,
  replyId: string | null,
  { model, rating }: Writer,
): Omit<PromptInput, 'history' | 'task'> {
  const meta = store.meta() as Meta;
  const { character } = meta;
  return {
    character: promptCharacter({ ...character, first_message: messages.opening() }),
    lore: lore.for(namesOf(meta)),
    persona: { name: personName(meta), description: meta.persona?.description ?? '' },
    memory: memory.live(replyId ?? undefined),
    pinned: messages.pinned(replyId ?? undefined),
    rating,
    model: model.id,
    contextTokens: model.contextTokens,
  };
}

/**
 * A character as a prompt tells of it.
 * @param character its `first_message`: how the story began
 */
export function promptCharacter(
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
