/** A sentence to speak. */
export interface Sentence {
  text: string;
  /** Language code of the text. */
  lang: string;
  /** The message that it is part of. */
  messageId: string;
}

/** Speaks sentences one after the other, in the order in which they were added. */
export interface SpeechQueue {
  /** Adds sentences. Those of another message replace what is being spoken. */
  add(sentences: readonly Sentence[]): void;
  /** Stops at once and drops all sentences. */
  stop(): void;
}

/** The part of a speech synthesiser that the queue needs. */
export interface Speaker {
  /** Speaks one sentence and calls `onEnd` once when it was spoken or could not be. */
  speak(sentence: Sentence, onEnd: () => void): void;
  /** Stops what is being spoken. */
  cancel(): void;
}

/** @param onMessageChange gets the id of the message that is being spoken, null when there is none any more */
export function createSpeechQueue(
  speaker: Speaker,
  onMessageChange: (messageId: string | null) => void,
): SpeechQueue {
  let waiting: Sentence[] = [];
  let spoken: Sentence | null = null;

  function speakNext(): void {
    const next = waiting.shift() ?? null;
    if (next?.messageId !== spoken?.messageId) onMessageChange(next?.messageId ?? null);
    spoken = next;
    if (next === null) return;
    speaker.speak(next, () => {
      // A cancelled sentence ends too, after the next one has begun.
      if (spoken === next) speakNext();
    });
  }

  function stop(): void {
    waiting = [];
    if (spoken === null) return;
    spoken = null;
    onMessageChange(null);
    speaker.cancel();
  }

  return {
    add(sentences) {
      const [first] = sentences;
      if (first === undefined) return;
      if (spoken !== null && spoken.messageId !== first.messageId) stop();
      waiting.push(...sentences);
      if (spoken === null) speakNext();
    },
    stop,
  };
}
