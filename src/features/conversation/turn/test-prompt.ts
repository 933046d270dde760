import type { ModelMessage } from '../../../vendors/model.ts';
import type { ContextRatios, Script } from '../../model/estimate-tokens.ts';
import { mergeDefinition, selectPromptParts } from '../../character/definition-parts.ts';
import { getSpokenNickname } from '../../character/character-rules.ts';
import { type CrisisKind, findCrisis } from '../../safety/decisions.ts';
import { sanitizeText } from '../../../lib/sanitize-text.ts';
import { CRISIS_WINDOW_MESSAGES } from '../moderation/crisis-help.ts';
import { buildPrompt, type Prompt, type PromptInput, type PromptMessage } from '../prompt/build-prompt.ts';
import type { PromptPersona } from '../prompt/prompt-sections.ts';
import { toPromptCharacter, withRetry } from '../prompt/compose-prompt.ts';
import { calculateReplyTokens } from '../prompt/reply-tokens.ts';
import type { PromptModel } from '../memory/prompt-context-store.ts';
import type { ReplyStyle } from '../../reply-style/contract.ts';
import type { Rating } from '../character/character-state.ts';
import { buildPromptLore, buildPromptParts } from '../prompt/conversation-lore.ts';
import type { Retryable } from './ask-again.ts';
import type { TestedCharacter, TestMessage } from './test-chat-contract.ts';

/** Returns the crisis that the user's last messages show. @param now the moderation's result for the last message */
export function findCrisisAmong(said: readonly TestMessage[], now: CrisisKind | null): CrisisKind | null {
  const before = said.slice(0, -1).filter(({ role }) => role === 'user');
  const shown = before.slice(1 - CRISIS_WINDOW_MESSAGES).map(({ content }) => findCrisis(content));
  return now ?? shown.findLast((kind) => kind !== null) ?? null;
}

/** Returns the character's name in a test chat. */
export const getTestName = ({ nickname, name }: Pick<TestedCharacter, 'nickname' | 'name'>): string =>
  getSpokenNickname(nickname) ?? sanitizeText(name);

interface TestPrompt {
  prompt: Prompt;
  messages: ModelMessage[];
}

/**
 * Builds the prompt of a test reply: that of a conversation with the same messages, without memory and pinned messages.
 * @param input.style the style that a new conversation would start with
 * @param input.persona the persona that a new conversation would have
 * @param input.crisis the crisis that the user's last messages show
 * @param input.rememberRatio remembers how many times smaller the model's window is for a script
 */
export function buildTestPrompt(input: {
  character: TestedCharacter;
  messages: readonly TestMessage[];
  style: ReplyStyle;
  persona: PromptPersona;
  rating: Rating;
  model: PromptModel;
  contextRatios: ContextRatios;
  rememberRatio: (script: Script, ratio: number) => void;
  crisis: CrisisKind | null;
}): TestPrompt & Retryable<TestPrompt> {
  const { style, persona, rating, model, crisis, contextRatios } = input;
  const { nickname, lorebook, definition, ...fields } = input.character;
  const called = getSpokenNickname(nickname);
  const name = sanitizeText(fields.name);
  const character = toPromptCharacter({
    ...fields,
    name,
    ...(called === undefined ? {} : { nickname: called }),
  });
  const said = [{ role: 'character' as const, content: fields.first_message }, ...input.messages];
  const history = said.map(({ role, content }, index): PromptMessage => {
    return { id: String(index), versionId: String(index), role, name: null, content };
  });
  const names = { user: persona.name, char: getTestName(input.character) };
  const promptInput: PromptInput = {
    character,
    persona,
    parts: buildPromptParts(selectPromptParts(mergeDefinition(null, definition)), names),
    lore: lorebook == null ? null : buildPromptLore(lorebook, names),
    memory: [],
    pinned: [],
    history: history.toReversed(),
    authorNote: style.author_note,
    authorNoteDepth: style.author_note_depth,
    replyLength: style.reply_length,
    replyTokens: calculateReplyTokens(style.reply_length, model),
    task: { kind: 'reply' },
    rating,
    crisis,
    model: model.id,
    contextTokens: model.contextTokens,
    tokenizer: model.tokenizer,
    contextRatios,
  };
  return withRetry(input, promptInput, (fitted) => {
    const prompt = buildPrompt(fitted);
    return { prompt, messages: prompt.messages };
  });
}
