import type {
  CharacterChange,
  CreateCharacterBody,
  CreatorProfile,
  OwnCharacter,
  OwnCharacterList,
} from '../../src/features/character/contract.ts';
import type { Visitor } from './factories.ts';
import { createUniquePicture } from './pictures.ts';

// Character actions through the API.

/** Uploads a picture. @returns its `avatar_id` */
export async function uploadTestPicture(
  me: Visitor,
  picture: Uint8Array<ArrayBuffer> = createUniquePicture(1),
): Promise<string> {
  const body = new FormData();
  body.set('file', new File([picture], 'portrait.gif', { type: 'image/gif' }));
  const { avatar_id } = await me.ask<{ avatar_id: string }>('/api/uploads/avatar', { body, status: 201 });
  return avatar_id;
}

/** The form's body, with a new picture unless the fields name one. */
export async function buildForm(
  me: Visitor,
  fields: Partial<CreateCharacterBody> = {},
): Promise<CreateCharacterBody> {
  return {
    name: 'Orla',
    oneliner: 'Keeps the light, and count of the storms',
    character_traits: 'Patient, salt-bitten, laughs late. Calls {{user}} a landlubber.',
    model_type: 'roleplay',
    visibility: 'public',
    ...fields,
    avatar_id: fields.avatar_id ?? (await uploadTestPicture(me)),
  };
}

/** @param key the `Idempotency-Key`; none when it is left out */
export const submitForm = (me: Visitor, form: object, key?: string): Promise<Response> =>
  me.call('/api/characters', {
    json: form,
    ...(key === undefined ? {} : { headers: { 'idempotency-key': key } }),
  });

/** Creates a character through the form. */
export const createOwnCharacter = async (
  me: Visitor,
  fields: Partial<CreateCharacterBody> = {},
): Promise<OwnCharacter> =>
  me.ask<OwnCharacter>('/api/characters', { json: await buildForm(me, fields), status: 201 });

export const editCharacter = (me: Visitor, id: string, change: Partial<CharacterChange> | object) =>
  me.ask<OwnCharacter>(`/api/characters/${id}`, { method: 'PATCH', json: change });

/** @param more further query parameters, such as `&deleted=true` */
export const fetchOwnCharacters = (me: Visitor, more = ''): Promise<OwnCharacterList> =>
  me.ask<OwnCharacterList>(`/api/me/characters?limit=100${more}`);

/** Reads a creator profile as this visitor sees it. */
export const readCreatorProfile = (visitor: Visitor, creatorId: string): Promise<CreatorProfile> =>
  visitor.ask<CreatorProfile>(`/api/creators/${creatorId}`);
