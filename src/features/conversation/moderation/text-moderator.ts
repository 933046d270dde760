import { ALONE, type Beside } from '../../safety/evidence.ts';
import { readAround, saysMinor } from '../../safety/decisions.ts';
import { judgedBeside, type RefusalRule, type Verdict } from '../../safety/moderation.ts';
import type { Moderator } from '../../safety/moderator.ts';
import { ReplyReader } from '../../safety/reply-reader.ts';
import type { Rating } from '../character/rating.ts';
import type { ReplyJudge } from './moderate-stream.ts';
import type { KnownStory } from './moderation-context.ts';

/** What came of looking at a text, and beside what it is refused. */
export type TextVerdict =
  | Extract<Verdict, { ok: true }>
  | (Extract<Verdict, { ok: false }> & { beside: Beside });

/** Looks at what is said in one story, by what is known of who is in it. */
export interface TextJudge {
  /** A text that a person wants to say. @param messageId in which message; a new one when it is left out */
  message(text: string, rating: Rating, messageId?: string): Promise<TextVerdict>;
  /**
   * What a model writes, as it comes.
   * @param replyId where; null for what is no message
   * @param crisisOpen whether the person's last messages show that they may need help
   */
  reply(rating: Rating, replyId: string | null, crisisOpen?: boolean): ReplyJudge;
  /** What a model wants to remember of the story: by the rules alone, since nobody waits for it or reads it at once. */
  mayBeKept(notes: string): boolean;
}

/**
 * @param known what is known of the story before a message (null: up to now)
 * @param isLetBy whether staff let a text of its person by, which a rule would refuse
 */
export function judgeOf(
  moderator: Moderator,
  known: (beforeId: string | null) => KnownStory,
  isLetBy: (text: string, rule: RefusalRule, beside: Beside) => Promise<boolean>,
): TextJudge {
  // No other rule sets a text against what stands beside it.
  const besideIn = (story: KnownStory, text: string) => {
    let found: Beside | null = null;
    return (rule: RefusalRule): Beside => (rule === 'minors' ? (found ??= story.beside(text)) : ALONE);
  };
  return {
    async message(text, rating, messageId) {
      const story = known(messageId ?? null);
      const { context, isMinorPresent } = story;
      const beside = besideIn(story, text);
      const about = {
        place: 'message',
        adult: rating === 'adult',
        context,
        isMinorPresent: () => saysMinor(text) || isMinorPresent(text),
      } as const;
      const verdict = await judgedBeside(
        (letBy) => moderator.check(text, { ...about, letBy }),
        (rule) => isLetBy(text, rule, beside(rule)),
      );
      return verdict.ok ? verdict : { ...verdict, beside: beside(verdict.rule) };
    },
    mayBeKept(notes) {
      const { context, isMinorPresent } = known(null);
      const isMinorInNotes = () => saysMinor(notes) || isMinorPresent('');
      return moderator.rules(notes, {
        place: 'message',
        adult: false,
        context,
        isMinorPresent: isMinorInNotes,
      }).ok;
    },
    reply(rating, replyId, crisisOpen = false) {
      const { context, isMinorPresent } = known(replyId);
      const reader = new ReplyReader({
        around: readAround(context),
        isMinorPresent: () => isMinorPresent(''),
        inCrisis: crisisOpen,
      });
      const about = { place: 'reply', adult: rating === 'adult', context, crisisOpen } as const;
      return {
        read: (text) => reader.read(text),
        end: () => reader.end(),
        ask: moderator.asks
          ? async (text, signal) => {
              const verdict = await moderator.askAlone(text, about, signal);
              return verdict.ok ? null : verdict.rule;
            }
          : null,
      };
    },
  };
}
