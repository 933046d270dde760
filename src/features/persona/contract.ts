import { z } from 'zod';
import { TEXT_LIMITS } from '../../config/text-limits.ts';
import { createOptionalNameSchema, importKey } from '../../lib/text-schemas.ts';
import { pictureId } from '../picture/contract.ts';
import { hasVisibleText } from '../../lib/sanitize-text.ts';

const tooLong = (what: string, max: number) => `${what} can have up to ${max} characters`;

const name = createOptionalNameSchema(
  TEXT_LIMITS.personaName,
  tooLong('A name', TEXT_LIMITS.personaName),
).describe('Left empty, it becomes the user’s own name');

const NO_DESCRIPTION = 'Description is required';
const description = z
  .string({ error: ({ input }) => (input === undefined ? NO_DESCRIPTION : undefined) })
  .trim()
  .min(1, { error: NO_DESCRIPTION, abort: true })
  .max(TEXT_LIMITS.personaDescription, tooLong('A description', TEXT_LIMITS.personaDescription))
  .refine((text) => text.isWellFormed(), 'This text holds half a character')
  .refine(hasVisibleText, NO_DESCRIPTION);

const isDefault = z.boolean().describe('Used for new conversations; at most one persona is the default');
const characterId = z
  .string()
  .max(64)
  .nullable()
  .describe('New conversations with this character start with the persona; the user must be able to open it');

const avatarId = pictureId.nullable().describe('A picture that the user uploaded');

export const createPersonaBody = z.strictObject({
  name: name.default(''),
  description,
  is_default: isDefault.default(false),
  character_id: characterId.optional(),
  avatar_id: avatarId.optional(),
  import_key: importKey.optional(),
});
export type CreatePersonaBody = z.input<typeof createPersonaBody>;

export const personaChange = z
  .strictObject({
    name: name.optional(),
    description: description.optional(),
    is_default: isDefault.optional(),
    character_id: characterId.optional(),
    avatar_id: avatarId.optional(),
  })
  .refine((change) => Object.keys(change).length > 0, 'There is nothing to change');
export type PersonaChange = z.infer<typeof personaChange>;

export const deletePersonaQuery = z.object({ forever: z.enum(['true', 'false']).optional() });

export const listPersonasQuery = z.object({
  cursor: z.string().max(64).optional(),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

/** The role a user plays in a conversation. */
export const persona = z.object({
  id: z.string(),
  name: z.string(),
  description: z.string(),
  is_default: z.boolean(),
  /** The character that it belongs to, and its name; null for none and for one that the user can no longer open. */
  character_id: z.string().nullable(),
  character_name: z.string().nullable(),
  avatar_id: z.string().nullable(),
  avatar_url: z.string().nullable(),
});
export type Persona = z.infer<typeof persona>;

/** Personas in the trash with the time when they are erased. */
export const trashedPersonas = z.object({
  items: z.array(persona.extend({ deleted_at: z.string(), expires_at: z.string() })),
});
export type TrashedPersonas = z.infer<typeof trashedPersonas>;

export const personaList = z.object({
  items: z.array(persona),
  next_cursor: z.string().nullable(),
  /** All personas of the user outside the trash. */
  count: z.number().int(),
  /** The plan's limit; `count` can exceed it after a guest logs in to an account. */
  limit: z.number().int(),
  /** The limit with a membership. */
  member_limit: z.number().int(),
});
export type PersonaList = z.infer<typeof personaList>;

/** Characters that a persona can belong to: the user's own, and those that they chatted with. */
export const personaCharacters = z.object({
  items: z.array(z.object({ id: z.string(), name: z.string(), avatar_url: z.string() })),
});
export type PersonaCharacters = z.infer<typeof personaCharacters>;
