import { NO_EVIDENCE, type RefusalEvidence } from '../../safety/evidence.ts';
import { readContextSigns, hasMinor } from '../../safety/decisions.ts';
import { checkWithExemptions, type RefusalRule, type Verdict } from '../../safety/moderation.ts';
import type { Moderator } from '../../safety/moderator.ts';
import { ReplyReader } from '../../safety/reply-reader.ts';
import type { Rating } from '../character/content-rating.ts';
import type { StreamModerator } from './moderate-stream.ts';
import type { ModerationContext } from './moderation-context.ts';

/** What came of looking at a text, and beside what it is refused. */
export type TextVerdict =
  | Extract<Verdict, { ok: true }>
  | (Extract<Verdict, { ok: false }> & { beside: RefusalEvidence });

/** Looks at what is said in one story, by what is known of who is in it. */
export interface TextModerator {
  /** A text that a person wants to say. @param messageId in which message; a new one when it is left out */
  moderateMessage(text: string, rating: Rating, messageId?: string): Promise<TextVerdict>;
  /**
   * What a model writes, as it comes.
   * @param replyId where; null for what is no message
   * @param crisisOpen whether the person's last messages show that they may need help
   */
  moderateReply(rating: Rating, replyId: string | null, crisisOpen?: boolean): StreamModerator;
  /** What a model wants to remember of the story: by the rules alone, since nobody waits for it or reads it at once. */
  isAllowed(notes: string): boolean;
}

/**
 * @param getContext what is known of the story before a message (null: up to now)
 * @param isExempt whether staff let a text of its person by, which a rule would refuse
 */
export function createTextModerator(
  moderator: Moderator,
  getContext: (beforeId: string | null) => ModerationContext,
  isExempt: (text: string, rule: RefusalRule, beside: RefusalEvidence) => Promise<boolean>,
): TextModerator {
  // No other rule sets a text against what stands beside it.
  const createEvidenceLookup = (story: ModerationContext, text: string) => {
    let found: RefusalEvidence | null = null;
    return (rule: RefusalRule): RefusalEvidence =>
      rule === 'minors' ? (found ??= story.collectEvidence(text)) : NO_EVIDENCE;
  };
  return {
    async moderateMessage(text, rating, messageId) {
      const story = getContext(messageId ?? null);
      const { context, isMinorPresent } = story;
      const beside = createEvidenceLookup(story, text);
      const about = {
        place: 'message',
        adult: rating === 'adult',
        context,
        isMinorPresent: () => hasMinor(text) || isMinorPresent(text),
      } as const;
      const verdict = await checkWithExemptions(
        (letBy) => moderator.check(text, { ...about, letBy }),
        (rule) => isExempt(text, rule, beside(rule)),
      );
      return verdict.ok ? verdict : { ...verdict, beside: beside(verdict.rule) };
    },
    isAllowed(notes) {
      const { context, isMinorPresent } = getContext(null);
      const isMinorInNotes = () => hasMinor(notes) || isMinorPresent('');
      return moderator.checkRules(notes, {
        place: 'message',
        adult: false,
        context,
        isMinorPresent: isMinorInNotes,
      }).ok;
    },
    moderateReply(rating, replyId, crisisOpen = false) {
      const { context, isMinorPresent } = getContext(replyId);
      const reader = new ReplyReader({
        around: readContextSigns(context),
        isMinorPresent: () => isMinorPresent(''),
        inCrisis: crisisOpen,
      });
      const about = { place: 'reply', adult: rating === 'adult', context, crisisOpen } as const;
      return {
        read: (text) => reader.read(text),
        end: () => reader.end(),
        ask: moderator.hasModel
          ? async (text, signal) => {
              const verdict = await moderator.checkModelOnly(text, about, signal);
              return verdict.ok ? null : verdict.rule;
            }
          : null,
      };
    },
  };
}
