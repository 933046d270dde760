import { z } from 'zod';
import { DEFAULT_LANGUAGE, type Language, LANGUAGES } from '../../config/languages.ts';

/** KV key of the operator's selection. */
export const HOME_SELECTION_KEY = 'home';

/** The home page shows characters by mood, in this order. */
export const MOODS = ['quiet', 'playful', 'brave', 'strange', 'warm'] as const;

/** Characters kept per mood: one row of the home page. */
export const MAX_MOOD_CHARACTERS = 4;

const id = z.string().min(1).max(64);
const homeSelection = z.object({
  /** The character in the sample conversation on the first screen; the `home:scene` lines are spoken by it. */
  scene: id.nullable().catch(null),
  moods: z
    .array(
      z.object({
        mood: z.enum(MOODS),
        /** The pages on which these come before the mood's other characters; without it, every page shows them. */
        language: z.enum(LANGUAGES).optional(),
        characters: z.array(id).max(30),
      }),
    )
    .max(MOODS.length * (LANGUAGES.length + 1))
    .catch([]),
});
export interface HomeSelection {
  scene: string | null;
  moods: { mood: (typeof MOODS)[number]; characters: string[] }[];
}

const EMPTY_SELECTION: HomeSelection = { scene: null, moods: [] };

/**
 * Reads the operator's selection for the home page from stored JSON. Missing or malformed parts count as empty; each mood
 * keeps at most `limit` characters, those for the page's language first.
 */
export function parseHomeSelection(
  stored: unknown,
  language: Language = DEFAULT_LANGUAGE,
  limit = MAX_MOOD_CHARACTERS,
): HomeSelection {
  const { success, data } = homeSelection.safeParse(stored);
  if (!success) return EMPTY_SELECTION;
  const list = (mood: string, wanted?: Language) =>
    data.moods
      .filter((row) => row.mood === mood && row.language === wanted)
      .flatMap(({ characters }) => characters);
  return {
    scene: data.scene,
    moods: MOODS.map((mood) => ({
      mood,
      characters: [...new Set([...list(mood, language), ...list(mood)])].slice(0, limit),
    })).filter(({ characters }) => characters.length > 0),
  };
}
