import type { ModelPart } from '../../../vendors/model.ts';
import { MAX_THINKING_CHARS } from '../limits.ts';
import {
  type RefusalRule,
  checkWithExemptions,
  type Verdict,
  type Moderator,
} from '../../safety/moderation.ts';
import { MAX_SENTENCE, takeSentence } from '../../safety/sentences.ts';
import {
  addParts,
  type PromptFingerprint,
  PromptLeakDetector,
  getPromptFingerprint,
} from './prompt-leak-guard.ts';
import type { MacroNames } from '../prompt/prompt-sections.ts';
import { NO_EVIDENCE, type RefusalEvidence } from '../../safety/evidence.ts';
import { readContextSigns, hasMinor } from '../../safety/decisions.ts';
import { truncateText } from '../../../lib/truncate-text.ts';
import { ReplyReader } from '../../safety/reply-reader.ts';
import type { Rating } from '../character/character-state.ts';
import type { ModerationContext } from './moderation-context.ts';

/** A part of a reply, or the rule that ended it; nothing follows a `refused` part. */
export type ModeratedPart = ModelPart | { kind: 'refused'; rule: RefusalRule };

/** Checks a reply before it is shown. */
export interface StreamModerator {
  /**
   * Reads more of the current sentence.
   * @returns whether the sentence may be shown up to here
   */
  read(text: string): boolean;
  /**
   * Ends the sentence.
   * @returns the rule that it breaks, alone or together with the sentences before it; null for none
   */
  end(): RefusalRule | null;
  /** Asks a moderation model; null where none is configured. Never throws. */
  ask: ((text: string, signal: AbortSignal) => Promise<RefusalRule | null>) | null;
  /** Fingerprint of the prompt that the reply may not reveal (prompt-leak-guard.ts); absent when there is none. */
  fingerprint?: PromptFingerprint;
}

/** Adds the prompt leak check to a moderator. @param names the names in the conversation */
export const withPromptLeakGuard = (moderator: StreamModerator, names: MacroNames): StreamModerator => ({
  read: (text) => moderator.read(text),
  end: () => moderator.end(),
  ask: moderator.ask,
  fingerprint: getPromptFingerprint(names),
});

/** The same for thinking that may not repeat a definition either. @param parts of the definition */
export const withDefinitionLeakGuard = (
  moderator: StreamModerator,
  names: MacroNames,
  parts: readonly { text: string }[],
): StreamModerator => ({ ...moderator, fingerprint: addParts(getPromptFingerprint(names), parts) });

/** In UTF-16 units: how much of the reply's end the moderation model sees. */
const MODEL_WINDOW_CHARS = 2000;

/**
 * Passes a reply on as it is written. Text is shown at once, unless its sentence might break a rule; then it is held back
 * until the sentence ends. A sentence that breaks a rule ends the reply. If a moderation model is configured, every
 * sentence is held back until it is complete and the model has answered.
 *
 * Thinking passes the same checks, one after the other with the text. Where it repeats the prompt, which reasoning models
 * often do, only the rest of the thinking is dropped.
 * @param input.begun the text before it, of a continued reply
 * @param input.thinking creates the moderator of the thinking; null where it is not shown
 */
export async function* moderateStream(
  parts: AsyncIterable<ModelPart>,
  judge: StreamModerator,
  {
    begun = '',
    thinking = null,
    signal,
  }: { begun?: string; thinking?: (() => StreamModerator) | null; signal: AbortSignal },
): AsyncGenerator<ModeratedPart> {
  const text = new TextGate(judge, begun, signal);
  /** Created with the first thinking, because it reads the conversation. */
  let thoughts: TextGate | null = null;
  let isShown = thinking !== null;
  let room = MAX_THINKING_CHARS;
  let isThinking = false;
  for await (const part of parts) {
    if (part.kind === 'thinking') {
      isThinking = true;
      const more = truncateText(part.text, room);
      room -= more.length;
      if (isShown && thinking !== null) thoughts ??= new TextGate(thinking(), '', signal);
      const checked = isShown && thoughts !== null ? await thoughts.push(more) : NOTHING;
      if (checked.text !== '' || part.text === '') yield { kind: 'thinking', text: checked.text };
      if (checked.end !== null && !isLeak(checked.end)) return yield checked.end;
      isShown &&= checked.end === null;
      continue;
    }
    if (part.kind === 'retracted') {
      text.drop();
      yield part;
      continue;
    }
    if (isThinking) {
      isThinking = false;
      const thought = isShown && thoughts !== null ? await thoughts.close() : NOTHING;
      if (thought.text !== '') yield { kind: 'thinking', text: thought.text };
      if (thought.end !== null && !isLeak(thought.end)) return yield thought.end;
    }
    const checking = part.kind === 'text' ? text.push(part.text) : text.close();
    // Most tokens need no answer of a model, and waiting for nothing takes time too.
    const checked = checking instanceof Promise ? await checking : checking;
    if (checked.text !== '') yield { kind: 'text', text: checked.text };
    if (checked.end !== null) return yield checked.end;
    if (part.kind !== 'text') return yield part;
  }
}

/** What may be shown, and what then ends the reply. */
interface CheckedText {
  text: string;
  end: Extract<ModeratedPart, { kind: 'refused' | 'failure' }> | null;
}
const NOTHING: CheckedText = { text: '', end: null };

const isLeak = (end: ModeratedPart): boolean => end.kind === 'refused' && end.rule === 'prompt';

/** Checks the reply, or its thinking, as it is written. */
class TextGate {
  readonly #judge: StreamModerator;
  readonly #signal: AbortSignal;
  readonly #sentences: OpenSentence;
  readonly #repeats: (text: string) => boolean;
  #before: string;

  /** @param begun the text before it */
  constructor(judge: StreamModerator, begun: string, signal: AbortSignal) {
    this.#judge = judge;
    this.#signal = signal;
    this.#repeats = createLeakDetector(judge.fingerprint, begun);
    this.#sentences = new OpenSentence(judge);
    this.#sentences.push(begun);
    this.#sentences.skip();
    this.#before = begun.slice(-MODEL_WINDOW_CHARS);
  }

  push(text: string): CheckedText | Promise<CheckedText> {
    return this.#check(this.#sentences.push(text));
  }

  /** Ends the sentence in progress. */
  close(): CheckedText | Promise<CheckedText> {
    return this.#check(this.#sentences.close());
  }

  /** Forgets the sentence in progress. */
  drop(): void {
    this.#sentences.close();
    this.#sentences.skip();
  }

  #check(broken: RefusalRule | null): CheckedText | Promise<CheckedText> {
    const { ask } = this.#judge;
    // With a moderation model, release whole sentences only.
    const text = this.#sentences.take(ask === null);
    const rule = broken === null && text !== '' && this.#repeats(text) ? 'prompt' : broken;
    if (rule === 'prompt') return { text: '', end: { kind: 'refused', rule } };
    const checked: CheckedText = { text, end: rule === null ? null : { kind: 'refused', rule } };
    return text === '' || ask === null ? checked : this.#ask(checked, ask);
  }

  async #ask(checked: CheckedText, ask: NonNullable<StreamModerator['ask']>): Promise<CheckedText> {
    this.#before = (this.#before + checked.text).slice(-MODEL_WINDOW_CHARS);
    const refused = await withAbort(ask(this.#before, this.#signal), this.#signal);
    // The user stopped the reply, so drop the held text.
    if (refused === 'stopped') return { text: '', end: STOPPED };
    return refused === null ? checked : { text: '', end: { kind: 'refused', rule: refused } };
  }
}

/** The signs that may end a sentence, and those behind which one that reached its end still continues. */
const MAY_END = /[.!?…;。！？\n।]/;
const MAY_HAVE_ENDED = /[.!?…;"'”’»)*_]/;

/**
 * Whether more text may end an unfinished sentence. Most tokens are letters, and looking for the end reads the sentence
 * from its beginning.
 */
const mayEnd = (sentence: string, more: string): boolean =>
  sentence.length + more.length >= MAX_SENTENCE ||
  MAY_END.test(more) ||
  MAY_HAVE_ENDED.test(sentence.at(-1) ?? '');

/** The sentence in progress and the text that is ready to be shown. */
class OpenSentence {
  readonly #judge: StreamModerator;
  #sentence = '';
  /** Length of the part of the sentence that was shown. */
  #shown = 0;
  #canShow = true;
  #ready = '';

  constructor(judge: StreamModerator) {
    this.#judge = judge;
  }

  /** Reads more text. @returns the rule that a sentence breaks; the text after that sentence is not read */
  push(text: string): RefusalRule | null {
    let rest = text;
    for (;;) {
      const whole = mayEnd(this.#sentence, rest) ? takeSentence(this.#sentence + rest) : null;
      if (whole === null) break;
      const piece = whole.slice(this.#sentence.length);
      this.#judge.read(piece);
      this.#sentence = whole;
      rest = rest.slice(piece.length);
      const rule = this.close();
      if (rule !== null) return rule;
    }
    this.#sentence += rest;
    this.#canShow = this.#judge.read(rest);
    return null;
  }

  /** Ends the sentence. @returns the rule that it breaks */
  close(): RefusalRule | null {
    const rule = this.#judge.end();
    if (rule === null) this.#ready += this.#sentence.slice(this.#shown);
    this.#sentence = '';
    this.#shown = 0;
    return rule;
  }

  /** Forgets the text that was read and not shown: it was shown before, or is not to be. */
  skip(): void {
    this.#ready = '';
    this.#shown = this.#sentence.length;
  }

  /** Returns the text to show now. @param isOpenToo whether it may include an incomplete sentence */
  take(isOpenToo = true): string {
    let text = this.#ready;
    this.#ready = '';
    if (isOpenToo && this.#canShow) {
      text += this.#sentence.slice(this.#shown);
      this.#shown = this.#sentence.length;
    }
    return text;
  }
}

/**
 * Returns a function that takes the reply's texts in order and returns whether they have revealed too much of the prompt.
 */
function createLeakDetector(own: PromptFingerprint | undefined, begun: string): (text: string) => boolean {
  if (own === undefined) return () => false;
  const detector = new PromptLeakDetector(own);
  detector.isLeak(begun.slice(-MODEL_WINDOW_CHARS));
  return (text) => detector.isLeak(text);
}

const STOPPED = { kind: 'failure', code: 'aborted', detail: 'while its text was checked' } as const;

/** Resolves with `stopped` as soon as the signal aborts. */
function withAbort<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | 'stopped'> {
  if (signal.aborted) return Promise.resolve('stopped');
  return new Promise((resolve, reject) => {
    const stop = () => resolve('stopped');
    signal.addEventListener('abort', stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** The verdict on a text, with the evidence next to which it was refused. */
export type TextVerdict =
  | Extract<Verdict, { ok: true }>
  | (Extract<Verdict, { ok: false }> & { beside: RefusalEvidence });

/** Moderates texts in one conversation with the knowledge of its context. */
export interface TextModerator {
  /** Moderates a text of the user. @param messageId the edited message; absent for a new one */
  moderateMessage(text: string, rating: Rating, messageId?: string): Promise<TextVerdict>;
  /** Moderates a new author's note; the current one, which it replaces, is no context. */
  moderateAuthorNote(text: string, rating: Rating): Promise<TextVerdict>;
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
 * @param getContext returns the context before a message (null: at the end of the conversation), by default with the
 *   current author's note
 * @param isExempt whether staff have exempted this user's text from the rule
 */
export function createTextModerator(
  moderator: Moderator,
  getContext: (beforeId: string | null, authorNote?: string) => ModerationContext,
  isExempt: (text: string, rule: RefusalRule, evidence: RefusalEvidence) => Promise<boolean>,
): TextModerator {
  // Only the rule `minors` judges a text together with its context.
  const createEvidenceLookup = (story: ModerationContext, text: string) => {
    let found: RefusalEvidence | null = null;
    return (rule: RefusalRule): RefusalEvidence =>
      rule === 'minors' ? (found ??= story.collectEvidence(text)) : NO_EVIDENCE;
  };
  const moderateText = async (
    story: ModerationContext,
    text: string,
    rating: Rating,
  ): Promise<TextVerdict> => {
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
  };
  return {
    moderateMessage: (text, rating, messageId) => moderateText(getContext(messageId ?? null), text, rating),
    moderateAuthorNote: (text, rating) => moderateText(getContext(null, ''), text, rating),
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
