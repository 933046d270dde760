import type { Verdict } from '../safety/moderation.ts';
import type { Moderator } from '../safety/moderator.ts';
import type { Meta } from './conversation-store.ts';
import type { HistoryMessage, MessageStore } from './message-store.ts';
import type { Rating } from './rating.ts';
import type { ReplyJudge } from './reply-gate.ts';
import { fillNames, namesOf } from './story-names.ts';

/** Looks at what is said in one story, by what is known of who is in it. */
export interface TextJudge {
  /** A text that a person wants to say. @param messageId in which message; a new one when it is left out */
  message(text: string, rating: Rating, messageId?: string): Promise<Verdict>;
  /** What a model writes, as it comes. @param replyId where; null for what is no message */
  reply(rating: Rating, replyId: string | null): ReplyJudge;
}

/** In UTF-16 units: what was said last belongs to the same scene, whoever of the two said it. */
const SCENE = 1200;
/** In UTF-16 units: where the rules look more closely, a text is looked at by a few words. */
const ADULT_STEP = 16;

/** @param known what is known of the story before a message (null: up to now) */
export function judgeOf(moderator: Moderator, known: (beforeId: string | null) => string): TextJudge {
  return {
    message: (text, rating, messageId) =>
      moderator.check(text, {
        place: 'message',
        adult: rating === 'adult',
        context: known(messageId ?? null),
      }),
    reply(rating, replyId) {
      const adult = rating === 'adult';
      const about = { place: 'reply', adult, context: known(replyId) } as const;
      const ruleIn = (verdict: Verdict) => (verdict.ok ? null : verdict.rule);
      return {
        rules: (text) => ruleIn(moderator.rules(text, about)),
        ask: moderator.asks
          ? async (text, signal) => ruleIn(await moderator.check(text, about, signal))
          : null,
        step: adult ? ADULT_STEP : 0,
      };
    },
  };
}

/**
 * What is known of a story beside a text: its people as they are described, where as a rule stands how old somebody is, and
 * how the scene goes that they are in.
 */
export function storyAround(
  { meta, messages }: { meta: Pick<Meta, 'character' | 'persona' | 'userName'>; messages: MessageStore },
  beforeId: string | null,
): string {
  const { name, oneliner, character_traits: traits, first_message: opening } = meta.character;
  const names = namesOf(meta);
  const people = [name, oneliner, traits, opening, meta.persona?.description ?? ''];
  const history = beforeId === null ? messages.history() : messages.historyBefore(beforeId);
  return [...people.map((text) => fillNames(text, names)), sceneIn(history)].join('\n');
}

/** The end of what was said so far, oldest first. @param history newest first */
function sceneIn(history: Iterable<Pick<HistoryMessage, 'content'>>): string {
  const said: string[] = [];
  let room = SCENE;
  for (const { content } of history) {
    said.push(content.slice(-room));
    room -= content.length;
    if (room <= 0) break;
  }
  return said.toReversed().join('\n');
}
