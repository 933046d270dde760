import { z } from 'zod';

/** The key-value entry that holds the selection. */
export const HOME_SELECTION_KEY = 'home';

/** Moods by which the home page shows characters, in its order. */
export const MOODS = ['quiet', 'playful', 'brave', 'strange', 'warm'] as const;

/** More of one mood than a row shows would only be waited for. */
export const MAX_MOOD_CHARACTERS = 4;

const id = z.string().min(1).max(64);
const homeSelection = z.object({
  /** Whose conversation the first screen shows: the lines of `home:scene` are this character's. */
  scene: id.nullable().catch(null),
  moods: z
    .array(z.object({ mood: z.enum(MOODS), characters: z.array(id).max(30) }))
    .max(MOODS.length)
    .catch([]),
});
export type HomeSelection = z.infer<typeof homeSelection>;

const EMPTY_SELECTION: HomeSelection = { scene: null, moods: [] };

/**
 * What the operator chose for the home page, from the stored JSON. What is missing or malformed counts as not chosen;
 * of each mood as many characters as a row shows are kept.
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
