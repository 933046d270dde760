import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { Persona } from '../../features/persona/contract.ts';

/** A persona as edited in the form. */
export interface PersonaDraft {
  name: string;
  description: string;
  is_default: boolean;
}

export type PersonaTextField = 'name' | 'description';

const LIMITS: Record<PersonaTextField, number> = {
  name: TEXT_LIMITS.personaName,
  description: TEXT_LIMITS.personaDescription,
};

/** Initial values of the form: those of a persona, or empty. */
export function toDraft(persona: Omit<Persona, 'id'> | null): PersonaDraft {
  const { name = '', description = '', is_default = false } = persona ?? {};
  return { name, description, is_default };
}

/** Trims the texts, as they are sent. */
export function trimDraft(draft: PersonaDraft): PersonaDraft {
  return { ...draft, name: draft.name.trim(), description: draft.description.trim() };
}

/** Whether closing the form would lose changes. */
export function isPersonaChanged(draft: PersonaDraft, from: PersonaDraft): boolean {
  const [now, then] = [trimDraft(draft), trimDraft(from)];
  return now.name !== then.name || now.description !== then.description || now.is_default !== then.is_default;
}

/** Length of a text as sent, and its limit, in UTF-16 units as the server counts. */
export function measurePersonaField(
  draft: PersonaDraft,
  field: PersonaTextField,
): { used: number; limit: number } {
  return { used: draft[field].trim().length, limit: LIMITS[field] };
}

/** A field's error, or null. A persona without a name gets the user's own. */
export function validatePersonaField(
  draft: PersonaDraft,
  field: PersonaTextField,
): 'required' | 'too_long' | null {
  const { used, limit } = measurePersonaField(draft, field);
  if (used === 0 && field === 'description') return 'required';
  return used > limit ? 'too_long' : null;
}
