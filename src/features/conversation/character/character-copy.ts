import { computeHash } from '../../../lib/hash.ts';
import type { CharacterSnapshot } from '../conversation-store.ts';

/** The long texts of a conversation's character, as JSON; null for none. */
export interface CharacterBooks {
  lorebook: string | null;
  /** The parts of the definition that models read. */
  parts: string | null;
}

/**
 * The long texts that a conversation pins. D1 stores them once by their hash, because hundreds of kilobytes in each of a
 * user's conversations would be most of what is stored (decision 69).
 */
export interface CharacterCopy extends CharacterBooks {
  /** Openings besides the first message. */
  greetings: readonly string[];
}

export const NO_COPY: CharacterCopy = Object.freeze({ lorebook: null, parts: null, greetings: [] });

/** The parts of a character version that a conversation pins. */
export interface CharacterSource extends CharacterBooks {
  character: CharacterSnapshot;
}

/** A character version whose long texts have their hash; null when it has none. */
export interface PinnedSource extends CharacterSource {
  copyHash: string | null;
}

export const toCharacterCopy = ({ character, lorebook, parts }: CharacterSource): CharacterCopy => ({
  lorebook,
  parts,
  greetings: character.alternate_greetings ?? [],
});

/** The content that is stored and hashed; null when there are no long texts. */
export const serializeCopy = ({ lorebook, parts, greetings }: CharacterCopy): string | null =>
  lorebook === null && parts === null && greetings.length === 0
    ? null
    : JSON.stringify({ lorebook, parts, greetings });

export const parseCopy = (content: string): CharacterCopy => JSON.parse(content) as CharacterCopy;

export async function storeSource(source: CharacterSource): Promise<PinnedSource> {
  const content = serializeCopy(toCharacterCopy(source));
  return { ...source, copyHash: content === null ? null : await computeHash(content) };
}
