import type {
  CharacterChange,
  CreateCharacterBody,
  CreatorProfile,
  OwnCharacter,
  OwnCharacterList,
} from '../../src/features/character/contract.ts';
import type { Visitor } from './factories.ts';
import { createUniquePicture } from './pictures.ts';

// What people do who make characters, by the API.

/** Brings a picture. @returns its `avatar_id` */
export async function uploadTestPicture(
  me: Visitor,
  picture: Uint8Array<ArrayBuffer> = createUniquePicture(1),
): Promise<string> {
  const body = new FormData();
  body.set('file', new File([picture], 'portrait.gif', { type: 'image/gif' }));
  const { avatar_id } = await me.ask<{ avatar_id: string }>('/api/uploads/avatar', { body, status: 201 });
  return avatar_id;
}

/** The form as it is sent, with a picture of one's own unless another is named. */
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

/** A character that somebody made by the form. */
export const createOwnCharacter = async (
  me: Visitor,
  fields: Partial<CreateCharacterBody> = {},
): Promise<OwnCharacter> =>
  me.ask<OwnCharacter>('/api/characters', { json: await buildForm(me, fields), status: 201 });

export const editCharacter = (me: Visitor, id: string, change: Partial<CharacterChange> | object) =>
  me.ask<OwnCharacter>(`/api/characters/${id}`, { method: 'PATCH', json: change });

/** @param more of the address's query, such as `&deleted=true` */
export const fetchOwnCharacters = (me: Visitor, more = ''): Promise<OwnCharacterList> =>
  me.ask<OwnCharacterList>(`/api/me/characters?limit=100${more}`);

/** What somebody sees of a creator. */
export const readCreatorProfile = (visitor: Visitor, creatorId: string): Promise<CreatorProfile> =>
  visitor.ask<CreatorProfile>(`/api/creators/${creatorId}`);
