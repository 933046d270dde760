import type { ModelPart } from '../../../vendors/model.ts';
import type { RefusalRule } from '../../safety/moderation.ts';
import { takeSentence } from '../../safety/sentences.ts';
import { type PromptFingerprint, PromptLeakDetector, getPromptFingerprint } from './prompt-leak-guard.ts';
import type { MacroNames } from '../prompt/prompt-sections.ts';

/** A part of a reply, or that a rule ended it: then nothing follows. */
export type ModeratedPart = ModelPart | { kind: 'refused'; rule: RefusalRule };

/** Checks a reply before it is shown. */
export interface StreamModerator {
  /**
   * Reads on within a sentence.
   * @returns whether the sentence may be shown as far as it is written
   */
  read(text: string): boolean;
  /** Ends the sentence. @returns the rule that it breaks, by itself or with what stands before it; null for none */
  end(): RefusalRule | null;
  /** Asks a moderation model; null where none is configured. Never throws. */
  ask: ((text: string, signal: AbortSignal) => Promise<RefusalRule | null>) | null;
  /** What of its prompt a model may not repeat (own-words.ts); left out where there is nothing of the kind. */
  fingerprint?: PromptFingerprint;
}

/** The same judge, who also sees to it that the prompt is not repeated. @param names of the story */
export const withPromptLeakGuard = (moderator: StreamModerator, names: MacroNames): StreamModerator => ({
  read: (text) => moderator.read(text),
  end: () => moderator.end(),
  ask: moderator.ask,
  fingerprint: getPromptFingerprint(names),
});

/** In UTF-16 units: what a moderation model is shown of a reply's end. */
const MODEL_WINDOW_CHARS = 2000;

/**
 * Lets a reply through as it is written. Text is shown with the part that brought it, unless its sentence may be refused:
 * then it waits for the sentence's end. A sentence that is refused ends the reply. A moderation model is asked about
 * whole sentences, and they wait for its answer.
 * @param begun what stands before it: a continued reply's text
 */
export async function* moderateStream(
  parts: AsyncIterable<ModelPart>,
  judge: StreamModerator,
  { begun = '', signal }: { begun?: string; signal: AbortSignal },
): AsyncGenerator<ModeratedPart> {
  const { ask } = judge;
  const repeats = createLeakDetector(judge.fingerprint, begun);
  const sentences = new OpenSentence(judge);
  sentences.push(begun);
  sentences.take();
  let before = begun.slice(-MODEL_WINDOW_CHARS);
  for await (const part of parts) {
    if (part.kind === 'thinking') {
      yield part;
      continue;
    }
    let rule = part.kind === 'text' ? sentences.push(part.text) : sentences.close();
    // A model is asked about whole sentences only.
    const text = sentences.take(ask === null);
    if (rule === null && text !== '' && repeats(text)) rule = 'prompt';
    if (rule === 'prompt') return yield { kind: 'refused', rule };
    if (text !== '') {
      if (ask !== null) {
        const refused = await withAbort(ask((before + text).slice(-MODEL_WINDOW_CHARS), signal), signal);
        // What was held back is not shown either: no more was wanted.
        if (refused === 'stopped') return yield STOPPED;
        if (refused !== null) return yield { kind: 'refused', rule: refused };
      }
      before = (before + text).slice(-MODEL_WINDOW_CHARS);
      yield { kind: 'text', text };
    }
    if (rule !== null) return yield { kind: 'refused', rule };
    if (part.kind !== 'text') return yield part;
  }
}

/** The sentence that is being written, and what of the reply may be shown. */
class OpenSentence {
  readonly #judge: StreamModerator;
  #sentence = '';
  /** How much of the sentence was shown. */
  #shown = 0;
  #canShow = true;
  #ready = '';

  constructor(judge: StreamModerator) {
    this.#judge = judge;
  }

  /** Reads on. @returns the rule that a sentence breaks; what follows it is not read */
  push(text: string): RefusalRule | null {
    let rest = text;
    for (;;) {
      const whole = takeSentence(this.#sentence + rest);
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

  /** What may be shown now and was not yet. @param isOpenToo whether that may be a part of a sentence */
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

/** Asked about each text in its order: whether with it too much of a prompt was repeated. */
function createLeakDetector(own: PromptFingerprint | undefined, begun: string): (text: string) => boolean {
  if (own === undefined) return () => false;
  const detector = new PromptLeakDetector(own);
  detector.isLeak(begun.slice(-MODEL_WINDOW_CHARS));
  return (text) => detector.isLeak(text);
}

const STOPPED = { kind: 'failure', code: 'aborted', detail: 'while its text was checked' } as const;

/** What somebody answers, unless it is not waited for any more. */
function withAbort<T>(answer: Promise<T>, signal: AbortSignal): Promise<T | 'stopped'> {
  if (signal.aborted) return Promise.resolve('stopped');
  return new Promise((resolve, reject) => {
    const stop = () => resolve('stopped');
    signal.addEventListener('abort', stop, { once: true });
    answer.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}
