/** A persona of SillyTavern. */
export interface BackupPersona {
  /** File name of its picture, which is its id. */
  avatar: string;
  name: string;
  description: string;
}

/** Far more than people have; a settings file with more was made on purpose. */
const MAX_PERSONAS = 1000;

const toObject = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {};

const toText = (value: unknown): string => (typeof value === 'string' ? value.toWellFormed().trim() : '');

/**
 * Reads the personas of a settings file: `power_user.personas` has their names, `power_user.persona_descriptions` their
 * texts, both by picture.
 * @returns null if the file is not JSON
 */
export function readPersonas(json: string): BackupPersona[] | null {
  let settings: unknown;
  try {
    settings = JSON.parse(json);
  } catch {
    return null;
  }
  const { personas, persona_descriptions: descriptions } = toObject(toObject(settings)['power_user']);
  const texts = toObject(descriptions);
  return Object.entries(toObject(personas))
    .slice(0, MAX_PERSONAS)
    .map(([avatar, name]) => ({
      avatar,
      name: toText(name),
      description: toText(Object.hasOwn(texts, avatar) ? toObject(texts[avatar])['description'] : ''),
    }));
}
