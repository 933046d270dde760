import { NO_EVIDENCE, type RefusalEvidence } from '../../safety/evidence.ts';
import { readContextSigns, hasMinor } from '../../safety/decisions.ts';
import { checkWithExemptions, type RefusalRule, type Verdict } from '../../safety/moderation.ts';
import type { Moderator } from '../../safety/moderator.ts';
import { ReplyReader } from '../../safety/reply-reader.ts';
import type { Rating } from '../character/content-rating.ts';
import type { StreamModerator } from './moderate-stream.ts';
import type { ModerationContext } from './moderation-context.ts';

/** The verdict on a text, with the evidence next to which it was refused. */
export type TextVerdict =
  | Extract<Verdict, { ok: true }>
  | (Extract<Verdict, { ok: false }> & { beside: RefusalEvidence });

/** Moderates texts in one conversation with the knowledge of its context. */
export interface TextModerator {
  /** Moderates a text of the user. @param messageId the edited message; absent for a new one */
  moderateMessage(text: string, rating: Rating, messageId?: string): Promise<TextVerdict>;
  /**
   * Moderates a reply as it is streamed.
   * @param replyId null for a text that is not a message
   * @param crisisOpen whether the user's last messages show that they may need help
   */
  moderateReply(rating: Rating, replyId: string | null, crisisOpen?: boolean): StreamModerator;
  /**
   * Whether memory notes may be stored. They are checked by the rules alone, because no user waits for them or reads them
   * immediately.
   */
  isAllowed(notes: string): boolean;
}

/**
 * @param getContext returns the context before a message (null: at the end of the conversation)
 * @param isExempt whether staff have exempted this user's text from the rule
 */
export function createTextModerator(
  moderator: Moderator,
  getContext: (beforeId: string | null) => ModerationContext,
  isExempt: (text: string, rule: RefusalRule, evidence: RefusalEvidence) => Promise<boolean>,
): TextModerator {
  // Only the rule `minors` judges a text together with its context.
  const createEvidenceLookup = (story: ModerationContext, text: string) => {
    let found: RefusalEvidence | null = null;
    return (rule: RefusalRule): RefusalEvidence =>
      rule === 'minors' ? (found ??= story.collectEvidence(text)) : NO_EVIDENCE;
  };
  return {
    async moderateMessage(text, rating, messageId) {
      const story = getContext(messageId ?? null);
      const { context, isMinorPresent } = story;
      const evidence = createEvidenceLookup(story, text);
      const about = {
        place: 'message',
        adult: rating === 'adult',
        context,
        isMinorPresent: () => hasMinor(text) || isMinorPresent(text),
      } as const;
      const verdict = await checkWithExemptions(
        (exemptRules) => moderator.check(text, { ...about, exemptRules }),
        (rule) => isExempt(text, rule, evidence(rule)),
      );
      return verdict.ok ? verdict : { ...verdict, beside: evidence(verdict.rule) };
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
