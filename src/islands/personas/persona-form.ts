import { TEXT_LIMITS } from '../../config/text-limits.ts';
import type { Persona } from '../../features/persona/contract.ts';

/** A persona as it stands in the form. */
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

/** What the form begins with: a persona, or nothing. */
export function toDraft(persona: Omit<Persona, 'id'> | null): PersonaDraft {
  const { name = '', description = '', is_default = false } = persona ?? {};
  return { name, description, is_default };
}

/** As it is sent: blanks around a text are no part of it. */
export function trimDraft(draft: PersonaDraft): PersonaDraft {
  return { ...draft, name: draft.name.trim(), description: draft.description.trim() };
}

/** Whether closing the form would lose something. */
export function isPersonaChanged(draft: PersonaDraft, from: PersonaDraft): boolean {
  const [now, then] = [trimDraft(draft), trimDraft(from)];
  return now.name !== then.name || now.description !== then.description || now.is_default !== then.is_default;
}

/** How long a text is as it would be sent, in UTF-16 units as the server counts, and how long it may be. */
export function measurePersonaField(
  draft: PersonaDraft,
  field: PersonaTextField,
): { used: number; limit: number } {
  return { used: draft[field].trim().length, limit: LIMITS[field] };
}

/** What is wrong with a field; null when nothing is. */
export function validatePersonaField(
  draft: PersonaDraft,
  field: PersonaTextField,
): 'required' | 'too_long' | null {
  const { used, limit } = measurePersonaField(draft, field);
  if (used === 0) return 'required';
  return used > limit ? 'too_long' : null;
}
