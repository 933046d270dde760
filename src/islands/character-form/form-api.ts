import type { Permission } from '../../features/account/contract.ts';
import type { ImportedCard, ImportedExtras } from '../../features/cards/contract.ts';
import type {
  CharacterChange,
  CreateCharacterBody,
  OwnCharacter,
} from '../../features/character/contract.ts';
import type { ModelList } from '../../features/model/contract.ts';
import type { UploadedPicture } from '../../features/picture/contract.ts';
import type { Availability, PointsStatus } from '../../features/wallet/contract.ts';
import { api, type Client, client, readJson, encodePathPart, type Result } from '../shared/api.ts';
import { createListPicture } from '../picture/picture-file.ts';
import { type UploadOptions, sendPicture, uploadForm } from '../shared/send-form.ts';

/** API calls of the form; tests pass their own. */
export interface FormApi {
  /** Fetches one of the user's characters. */
  own(id: string): Promise<Result<OwnCharacter>>;
  /** @param key idempotency key: a repeated call with the same key creates no second character */
  create(body: CreateCharacterBody, key: string): Promise<Result<OwnCharacter>>;
  change(id: string, change: CharacterChange): Promise<Result<OwnCharacter>>;
  sendPicture(picture: Blob, sending: UploadOptions): Promise<Result<UploadedPicture>>;
  /** Whether an uploaded picture no longer exists; false if unknown. */
  isPictureGone(url: string): Promise<boolean>;
  importCard(file: File, sending: UploadOptions): Promise<Result<ImportedCard>>;
  /** The data of an imported card that its draft does not store. */
  cardExtras(importId: string): Promise<Result<ImportedExtras>>;
  models(): Promise<Result<ModelList>>;
  mayCreate(): Promise<Result<Permission>>;
  /** The cost of creating a character, and whether the user has the points. */
  cost(): Promise<Result<Availability>>;
  points(): Promise<Result<PointsStatus>>;
}

export function createFormApi({ characters, me, models, points }: Client): FormApi {
  return {
    own: (id) => readJson(me.characters[':id'].$get({ param: { id: encodePathPart(id) } })),
    create: (body, key) => readJson(characters.$post({ json: body, header: { 'idempotency-key': key } })),
    change: (id, change) =>
      readJson(characters[':id'].$patch({ param: { id: encodePathPart(id) }, json: change })),
    sendPicture: async (picture, sending) => sendPicture(picture, sending, await createListPicture(picture)),
    isPictureGone: (url) =>
      fetch(url, { method: 'HEAD' }).then(
        ({ status }) => status === 404,
        () => false,
      ),
    importCard: (file, sending) => {
      const form = new FormData();
      form.set('file', file);
      return uploadForm('/api/characters/import', form, sending);
    },
    cardExtras: (id) => readJson(characters.import[':id'].$get({ param: { id: encodePathPart(id) } })),
    models: () => readJson(models.$get()),
    mayCreate: api.mayCreateCharacter,
    cost: api.checkCharacterPoints,
    points: () => readJson(points.$get()),
  };
}

export const formApi: FormApi = createFormApi(client);
