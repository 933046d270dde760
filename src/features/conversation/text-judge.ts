import { ALONE, type Beside } from '../safety/beside.ts';
import { minorIn } from '../safety/minors.ts';
import { growingRules, judgedBeside, type RefusalRule, type Verdict } from '../safety/moderation.ts';
import type { Moderator } from '../safety/moderator.ts';
import { growingUrging, urgingIn } from '../safety/urging.ts';
import type { Rating } from './rating.ts';
import { type ReplyJudge, URGING_WINDOW, WINDOW } from './reply-gate.ts';
import type { KnownStory } from './story-known.ts';

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

/** In UTF-16 units: where the rules look more closely, a text is looked at by a few words. */
const ADULT_STEP = 16;

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
      const { context, minorTold } = story;
      const beside = besideIn(story, text);
      const about = {
        place: 'message',
        adult: rating === 'adult',
        context,
        minorTold: () => minorIn(text) || minorTold(text),
      } as const;
      const verdict = await judgedBeside(
        (letBy) => moderator.check(text, { ...about, letBy }),
        (rule) => isLetBy(text, rule, beside(rule)),
      );
      return verdict.ok ? verdict : { ...verdict, beside: beside(verdict.rule) };
    },
    mayBeKept(notes) {
      const { context, minorTold } = known(null);
      const isMinorTold = () => minorIn(notes) || minorTold('');
      return moderator.rules(notes, { place: 'reply', adult: false, context, minorTold: isMinorTold }).ok;
    },
    reply(rating, replyId, crisisOpen = false) {
      const adult = rating === 'adult';
      const { context, minorTold } = known(replyId);
      const begun = new ReplyAges();
      let told: boolean | null = null;
      const about = {
        place: 'reply',
        adult,
        context,
        minorTold: () => begun.minor || (told ??= minorTold('')),
        crisisOpen,
      } as const;
      const ruleIn = (verdict: Verdict) => (verdict.ok ? null : verdict.rule);
      const rules = growingRules(about);
      return {
        rules(text, fresh) {
          begun.take(text);
          return ruleIn(rules(text, fresh));
        },
        ask: moderator.asks
          ? async (text, signal) => ruleIn(await moderator.check(text, about, signal))
          : null,
        urges: crisisOpen
          ? (text) => urgingIn(text, { open: true, whole: true })
          : growingUrging(URGING_WINDOW),
        step: adult ? ADULT_STEP : 0,
        // Half a sentence may be all that somebody needs to read; and «do it» may go on as a call for help.
        bySentence: crisisOpen,
      };
    },
  };
}

/** In UTF-16 units: by so much of a reply's end the place is known up to which it was looked at. */
const MARK = 60;

/** Whether a reply said an age, also when that does not stand in its last words any more. */
class ReplyAges {
  minor = false;
  #mark = '';

  /** @param end the reply's last words, each time a little further on */
  take(end: string): void {
    if (this.minor) return;
    const place = this.#mark === '' ? -1 : end.lastIndexOf(this.#mark);
    // Each place is looked at once or twice, and not with every word.
    if (place !== -1 && end.length - place < WINDOW / 2) return;
    this.minor = minorIn(end);
    this.#mark = end.slice(-MARK);
  }
}
