const SENTENCE_END = /(?<=[.!?…]["”»’)]?\s)|(?<=[。！？।]["”」』）]?)|(?<=\n)/u;

/** Splits a text into its sentences and lines. Joined, they are the text. */
export const splitSentences = (text: string): string[] => text.split(SENTENCE_END);
