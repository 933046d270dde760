import type { ImportedCard } from '../../features/cards/contract.ts';
import type { CreateCharacterBody, OwnCharacter } from '../../features/character/contract.ts';
import type { Conversation } from '../../features/conversation/contract.ts';
import type { CreatePersonaBody, Persona } from '../../features/persona/contract.ts';
import type { UploadedPicture } from '../../features/picture/contract.ts';
import { type Client, client, NETWORK_FAILURE, resolveResponse, type Result } from '../shared/api.ts';
import { sendForm, sendPicture, uploadForm, type UploadOptions } from '../shared/send-form.ts';

/** A thing that a request made, or that an earlier request with the same import key had made. */
export interface Made<T> {
  made: T;
  isNew: boolean;
  isInTrash: boolean;
}

/** API calls for moving in; tests pass their own. `import_key` keeps a repeated call from making a second thing. */
export interface MoveInApi {
  importCard(file: File, sending: UploadOptions): Promise<Result<ImportedCard>>;
  sendPicture(picture: Blob, sending: UploadOptions): Promise<Result<UploadedPicture>>;
  createCharacter(body: CreateCharacterBody): Promise<Result<Made<OwnCharacter>>>;
  createPersona(body: CreatePersonaBody): Promise<Result<Made<Persona>>>;
  importChat(
    chat: { file: File; characterId: string; importKey: string },
    sending: UploadOptions,
  ): Promise<Result<Made<Conversation>>>;
}

/** Status of an answer that made something; 200 means that it was there. */
const CREATED = 201;

/** Awaits an answer and reads what was made. @param getMade picks it from the body */
async function readMade<R extends Pick<Response, 'ok' | 'status' | 'json'>, T>(
  call: Promise<R>,
  getMade: (body: unknown) => T,
): Promise<Result<Made<T>>> {
  const answer = await resolveResponse(call);
  if ('code' in answer) return answer;
  try {
    const body = (await answer.json()) as { deleted_at?: string };
    const [isNew, isInTrash] = [answer.status === CREATED, body.deleted_at !== undefined];
    return { ok: true, data: { made: getMade(body), isNew, isInTrash } };
  } catch {
    return NETWORK_FAILURE;
  }
}

export function createMoveInApi({ characters, personas }: Client): MoveInApi {
  return {
    importCard(file, sending) {
      const form = new FormData();
      form.set('file', file);
      return uploadForm('/api/characters/import', form, sending);
    },
    sendPicture,
    createCharacter: (json) =>
      readMade(characters.$post({ json, header: {} }), (body) => body as OwnCharacter),
    createPersona: (json) => readMade(personas.$post({ json }), (body) => body as Persona),
    importChat({ file, characterId, importKey }, sending) {
      const form = new FormData();
      form.set('character_id', characterId);
      form.set('import_key', importKey);
      form.set('file', file);
      const call = sendForm('/api/conversations/import', form, sending);
      return readMade(call, (body) => (body as { conversation: Conversation }).conversation);
    },
  };
}

export const moveInApi: MoveInApi = createMoveInApi(client);
