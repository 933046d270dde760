import { hasYoungPerson } from './ages.ts';
import { addSums, SENTENCES_TOGETHER, type Sums } from './classifier.ts';
import { type ContextSigns, findEncouragementThreshold, MinorsReader, THRESHOLDS } from './decisions.ts';
import { classifier } from './weights.ts';

/** What is known about a reply before its first word. */
export interface ReplyContext {
  /** What is said around it. */
  around: ContextSigns;
  /** Whether anything else in its prompt says that a minor is present; asked where the reply is sexual. */
  isMinorPresent: () => boolean;
  /** Whether its reader's last messages show that they may need help. */
  inCrisis: boolean;
}

/** In UTF-16 units: hardly any sentence that is known by heart is longer. */
const MAX_KNOWN_SENTENCE_CHARS = 40;

/** In UTF-16 units: an age, or a word for a child, is said within so much of the end. */
const MAX_AGE_PHRASE_CHARS = 40;

/** Reads a reply while it is written: each character once, each sentence by itself and with those before it. */
export class ReplyReader {
  readonly #minors: MinorsReader;
  readonly #inCrisis: boolean;
  readonly #read: Sums[] = [];
  #sentence = '';
  #current = classifier.reader();
  #isSuspect = false;

  constructor({ around, isMinorPresent, inCrisis }: ReplyContext) {
    this.#minors = new MinorsReader(around, isMinorPresent);
    this.#inCrisis = inCrisis;
  }

  /**
   * Reads on within a sentence.
   * @returns whether the sentence may be shown as far as it is written; in a crisis half of it may be all that is needed
   */
  read(text: string): boolean {
    if (text !== '') {
      this.#sentence += text;
      this.#current.reader.push(text);
    }
    if (this.#inCrisis) return false;
    if (!this.#isSuspect && this.#sentence.trim() !== '') {
      // A word that may go on counts as it is: it is about to be shown. What is short may be known by heart, as a whole.
      const sums =
        this.#sentence.length <= MAX_KNOWN_SENTENCE_CHARS
          ? classifier.read(this.#sentence)
          : addSums(this.#current.sums, classifier.read(this.#current.reader.rest));
      const scores = classifier.scoreLast([...this.#read, sums]);
      this.#isSuspect =
        scores.encouragement >= THRESHOLDS.suspicion ||
        (scores.sexual >= THRESHOLDS.sexualNearMinor && this.#minors.canRefuse()) ||
        // What is sexual about a child is known at the sentence's end only.
        hasYoungPerson(this.#sentence.slice(-MAX_AGE_PHRASE_CHARS));
    }
    return !this.#isSuspect;
  }

  /** Ends the sentence. @returns what is to be refused with it; null where nothing is */
  end(): 'minors' | 'urging' | null {
    const sums = classifier.end(this.#current.reader, this.#current.sums);
    const sentence = this.#sentence;
    this.#current = classifier.reader();
    this.#sentence = '';
    this.#isSuspect = false;
    if (sums.count === 0) return null;
    this.#read.push(sums);
    const scores = classifier.scoreLast(this.#read);
    // The next sentence is read together with those before it.
    if (this.#read.length === SENTENCES_TOGETHER) this.#read.shift();
    if (this.#minors.read(sentence, scores)) return 'minors';
    const threshold = findEncouragementThreshold(sentence, this.#inCrisis);
    return scores.encouragement >= threshold ? 'urging' : null;
  }
}
