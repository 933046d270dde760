import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { Persona, PersonaCharacters } from '../../features/persona/contract.ts';
import type { PersonaFields } from './personas-state.ts';

/** A persona as edited in the form. */
export interface PersonaDraft {
  name: string;
  description: string;
  is_default: boolean;
  character: PersonaCharacter | null;
  avatar: { id: string; url: string } | null;
}

/** The character that a persona belongs to. */
export interface PersonaCharacter {
  id: string;
  name: string;
}

export type PersonaTextField = 'name' | 'description';

const LIMITS: Record<PersonaTextField, number> = {
  name: TEXT_LIMITS.personaName,
  description: TEXT_LIMITS.personaDescription,
};

/** Initial values of the form: those of a persona, or empty. */
export function toDraft(persona: Omit<Persona, 'id'> | null): PersonaDraft {
  const { name = '', description = '', is_default = false } = persona ?? {};
  const { character_id: id = null, character_name: characterName } = persona ?? {};
  const { avatar_id: avatarId = null, avatar_url: url } = persona ?? {};
  return {
    name,
    description,
    is_default,
    character: id === null ? null : { id, name: characterName ?? '' },
    avatar: avatarId === null ? null : { id: avatarId, url: url ?? '' },
  };
}

/**
 * The fields to send, with trimmed texts. Character and picture are sent only if they were changed, because the user may
 * no longer be able to choose the stored ones.
 * @param from the stored values
 */
export function toFields(draft: PersonaDraft, from: PersonaDraft): PersonaFields {
  const { name, description, is_default, character, avatar } = draft;
  return {
    name: name.trim(),
    description: description.trim(),
    is_default,
    ...(character?.id === from.character?.id ? {} : { character_id: character?.id ?? null }),
    ...(avatar?.id === from.avatar?.id ? {} : { avatar_id: avatar?.id ?? null }),
  };
}

/** Whether closing the form would lose changes. */
export function isPersonaChanged(draft: PersonaDraft, from: PersonaDraft): boolean {
  const [now, then] = [toFields(draft, from), toFields(from, from)];
  return (
    now.name !== then.name ||
    now.description !== then.description ||
    now.is_default !== then.is_default ||
    now.character_id !== undefined ||
    now.avatar_id !== undefined
  );
}

/** Characters that the form lists at once; the others are found by search. */
const MAX_SHOWN_CHARACTERS = 30;

const foldName = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/[\u0300-\u036f]/g, '')
    .toLocaleLowerCase();

/** Finds characters by a part of their name; accents and case make no difference. */
export function matchCharacters(
  items: PersonaCharacters['items'],
  query: string,
): { shown: PersonaCharacters['items']; isCut: boolean } {
  const part = foldName(query.trim());
  const found = part === '' ? items : items.filter(({ name }) => foldName(name).includes(part));
  return { shown: found.slice(0, MAX_SHOWN_CHARACTERS), isCut: found.length > MAX_SHOWN_CHARACTERS };
}

/** Length of a text as sent, and its limit, in UTF-16 units as the server counts. */
export function measurePersonaField(
  draft: Pick<PersonaDraft, PersonaTextField>,
  field: PersonaTextField,
): { used: number; limit: number } {
  return { used: draft[field].trim().length, limit: LIMITS[field] };
}

/** A field's error, or null. A persona without a name gets the user's own. */
export function validatePersonaField(
  draft: Pick<PersonaDraft, PersonaTextField>,
  field: PersonaTextField,
): 'required' | 'too_long' | null {
  const { used, limit } = measurePersonaField(draft, field);
  if (used === 0 && field === 'description') return 'required';
  return used > limit ? 'too_long' : null;
}
