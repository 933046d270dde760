import { hasSexualAct, hasYoungPerson } from './ages.ts';
import { addSums, SENTENCES_TOGETHER, type Sums } from './classifier.ts';
import {
  type ContextSigns,
  findEncouragementThreshold,
  MIN_SEXUAL_NEAR_MINOR,
  MinorsReader,
  THRESHOLDS,
  weighSexual,
} from './decisions.ts';
import { classifier } from './weights.ts';

/** The context of a reply before its first word. */
export interface ReplyContext {
  /** Signs found in the context. */
  around: ContextSigns;
  /** Whether anything else in the prompt shows a minor; called only for sexual replies. */
  isMinorPresent: () => boolean;
  /** Whether the user's recent messages show that they may need help. */
  inCrisis: boolean;
}

/** UTF-16 units; hardly any memorised sentence is longer. */
const MAX_KNOWN_SENTENCE_CHARS = 40;

/** UTF-16 units from the end in which an age, a word for a child or an act is searched. */
const MAX_AGE_PHRASE_CHARS = 40;

/** Checks a reply while it streams: reads each character once, and each sentence alone and with the preceding ones. */
export class ReplyReader {
  readonly #minors: MinorsReader;
  readonly #inCrisis: boolean;
  readonly #read: Sums[] = [];
  #sentence = '';
  #isBlank = true;
  #current = classifier.reader();
  #isSuspect = false;

  constructor({ around, isMinorPresent, inCrisis }: ReplyContext) {
    this.#minors = new MinorsReader(around, isMinorPresent);
    this.#inCrisis = inCrisis;
  }

  /**
   * Reads the next piece of the current sentence.
   * @returns whether the unfinished sentence may be shown; never in a crisis, because half a sentence can do harm
   */
  read(text: string): boolean {
    if (text !== '') {
      this.#sentence += text;
      this.#isBlank &&= text.trim() === '';
      this.#current.reader.push(text);
    }
    if (this.#inCrisis) return false;
    if (!this.#isSuspect && !this.#isBlank) {
      // Score an unfinished word as it is, because it is about to be shown. Short sentences may be memorised as a whole.
      const sums =
        this.#sentence.length <= MAX_KNOWN_SENTENCE_CHARS
          ? classifier.read(this.#sentence)
          : addSums(this.#current.sums, classifier.read(this.#current.reader.rest));
      const scores = classifier.scoreLast([...this.#read, sums]);
      const end = this.#sentence.slice(-MAX_AGE_PHRASE_CHARS);
      this.#isSuspect =
        scores.encouragement >= THRESHOLDS.suspicion ||
        (weighSexual(this.#sentence, scores) >= MIN_SEXUAL_NEAR_MINOR && this.#minors.canRefuse()) ||
        (this.#minors.isMinorNear() && hasSexualAct(end)) ||
        // A sexual act with a child is only recognised at the end of the sentence.
        hasYoungPerson(end);
    }
    return !this.#isSuspect;
  }

  /** Completes the sentence. @returns the rule that refuses it, or null */
  end(): 'minors' | 'urging' | null {
    const sums = classifier.end(this.#current.reader, this.#current.sums);
    const sentence = this.#sentence;
    this.#current = classifier.reader();
    this.#sentence = '';
    this.#isBlank = true;
    this.#isSuspect = false;
    if (sums.count === 0) return null;
    this.#read.push(sums);
    const scores = classifier.scoreLast(this.#read);
    // Keep one fewer: the next sentence is scored together with the preceding ones.
    if (this.#read.length === SENTENCES_TOGETHER) this.#read.shift();
    if (this.#minors.read(sentence, scores)) return 'minors';
    const threshold = findEncouragementThreshold(sentence, this.#inCrisis);
    return scores.encouragement >= threshold ? 'urging' : null;
  }
}
