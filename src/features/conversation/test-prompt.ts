import type { ModelMessage } from '../../vendors/model.ts';
import { spokenNickname } from '../character/character-rules.ts';
import { drawable } from '../visible-text.ts';
import { buildPrompt, type PromptMessage } from './prompt.ts';
import type { PromptPersona } from './prompt-sections.ts';
import { promptCharacter } from './prompt-source.ts';
import type { PromptModel } from './context-store.ts';
import type { Rating } from './rating.ts';
import { promptLore } from './story-lore.ts';
import type { TestedCharacter, TestMessage } from './test-chat-contract.ts';

/**
 * What a model is sent for an answer in a test chat: the prompt that a conversation of the same words would have, with
 * nothing remembered and nothing pinned.
 * @param input.persona who the person would be in a new conversation
 */
export function testPrompt(input: {
  character: TestedCharacter;
  messages: readonly TestMessage[];
  persona: PromptPersona;
  rating: Rating;
  model: PromptModel;
}): ModelMessage[] {
  const { persona, rating, model } = input;
  const { nickname, lorebook, ...fields } = input.character;
  const called = spokenNickname(nickname);
  const name = drawable(fields.name);
  const character = promptCharacter({
    ...fields,
    name,
    ...(called === undefined ? {} : { nickname: called }),
  });
  const said = [{ role: 'character' as const, content: fields.first_message }, ...input.messages];
  const history = said.map(({ role, content }, index): PromptMessage => {
    return { id: String(index), versionId: String(index), role, name: null, content };
  });
  return buildPrompt({
    character,
    persona,
    lore: lorebook == null ? null : promptLore(lorebook, { user: persona.name, char: called ?? name }),
    memory: [],
    pinned: [],
    history: history.toReversed(),
    task: { kind: 'reply' },
    rating,
    model: model.id,
    contextTokens: model.contextTokens,
  }).messages;
}
