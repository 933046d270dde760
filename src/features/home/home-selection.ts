import { z } from 'zod';

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
    .array(z.object({ mood: z.enum(MOODS), characters: z.array(id).max(30) }))
    .max(MOODS.length)
    .catch([]),
});
export type HomeSelection = z.infer<typeof homeSelection>;

const EMPTY_SELECTION: HomeSelection = { scene: null, moods: [] };

/**
 * Reads the operator's selection for the home page from stored JSON. Missing or malformed parts count as empty; each mood
 * keeps at most {@link MAX_MOOD_CHARACTERS} characters.
 */
export function parseHomeSelection(stored: unknown): HomeSelection {
  const { success, data } = homeSelection.safeParse(stored);
  if (!success) return EMPTY_SELECTION;
  return {
    scene: data.scene,
    moods: data.moods.map(({ mood, characters }) => ({
      mood,
      characters: characters.slice(0, MAX_MOOD_CHARACTERS),
    })),
  };
}
