import type { ModelMessage } from '../../../vendors/model.ts';
import { spokenNickname } from '../../character/character-rules.ts';
import { type CrisisKind, findCrisis } from '../../safety/decisions.ts';
import { sanitizeText } from '../../../lib/visible-text.ts';
import { CRISIS_MINDED } from '../moderation/crisis-help.ts';
import { buildPrompt, type PromptMessage } from '../prompt/build-prompt.ts';
import type { PromptPersona } from '../prompt/prompt-sections.ts';
import { promptCharacter } from '../prompt/compose-prompt.ts';
import type { PromptModel } from '../memory/prompt-context-store.ts';
import type { Rating } from '../character/rating.ts';
import { promptLore } from '../prompt/conversation-lore.ts';
import type { TestedCharacter, TestMessage } from './test-chat-contract.ts';

/** What the person's last messages show of them. @param now what the last one does, which was looked at closely */
export function crisisAmong(said: readonly TestMessage[], now: CrisisKind | null): CrisisKind | null {
  const before = said.slice(0, -1).filter(({ role }) => role === 'user');
  const shown = before.slice(1 - CRISIS_MINDED).map(({ content }) => findCrisis(content));
  return now ?? shown.findLast((kind) => kind !== null) ?? null;
}

/** What a character that is tried out is called in the story. */
export const calledIn = ({ nickname, name }: Pick<TestedCharacter, 'nickname' | 'name'>): string =>
  spokenNickname(nickname) ?? sanitizeText(name);

/**
 * What a model is sent for an answer in a test chat: the prompt that a conversation of the same words would have, with
 * nothing remembered and nothing pinned.
 * @param input.persona who the person would be in a new conversation
 * @param input.crisis what the last messages show of the person
 */
export function testPrompt(input: {
  character: TestedCharacter;
  messages: readonly TestMessage[];
  persona: PromptPersona;
  rating: Rating;
  model: PromptModel;
  crisis: CrisisKind | null;
}): ModelMessage[] {
  const { persona, rating, model, crisis } = input;
  const { nickname, lorebook, ...fields } = input.character;
  const called = spokenNickname(nickname);
  const name = sanitizeText(fields.name);
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
    lore:
      lorebook == null ? null : promptLore(lorebook, { user: persona.name, char: calledIn(input.character) }),
    memory: [],
    pinned: [],
    history: history.toReversed(),
    task: { kind: 'reply' },
    rating,
    crisis,
    model: model.id,
    contextTokens: model.contextTokens,
  }).messages;
}
