import type { ImportedCard } from '../../src/features/cards/contract.ts';
import type { OwnCharacter } from '../../src/features/character/contract.ts';
import type { CallOptions, Visitor } from './factories.ts';
import { PICTURES } from './pictures.ts';

/** Card actions through the API. */

export const CARD_PATH = '/api/characters/import';

export function buildCardForm(file: BlobPart | null): CallOptions {
  const body = new FormData();
  if (file !== null) body.set('file', new Blob([file]), 'card.png');
  return { method: 'POST', body };
}

export const importCard = (me: Visitor, file: BlobPart) =>
  me.ask<ImportedCard>(CARD_PATH, buildCardForm(file));
export const importJsonCard = (me: Visitor, card: unknown) => importCard(me, JSON.stringify(card));

export async function getImportError(me: Visitor, options: CallOptions, path = CARD_PATH) {
  const answer = await me.call(path, options);
  return { status: answer.status, ...(await answer.json<{ code: string; error: string }>()) };
}

/** Publishes an imported draft as the form does. */
export function publishDraft(
  me: Visitor,
  { draft, import_id }: ImportedCard,
  changes = {},
): Promise<OwnCharacter> {
  const { avatar_url: _, ...fields } = draft;
  return me.ask('/api/characters', {
    json: { ...fields, oneliner: fields.oneliner || 'Somebody', import_id, ...changes },
    status: 201,
  });
}

export async function uploadPortrait(me: Visitor): Promise<string> {
  const body = new FormData();
  body.set('file', new Blob([PICTURES.webp]), 'me.webp');
  const { avatar_id } = await me.ask<{ avatar_id: string }>('/api/uploads/avatar', {
    method: 'POST',
    body,
    status: 201,
  });
  return avatar_id;
}

export async function downloadCard(viewer: Visitor, id: string, query: string) {
  const answer = await viewer.call(`/api/characters/${id}/card?${query}`);
  return {
    status: answer.status,
    headers: answer.headers,
    bytes: new Uint8Array(await answer.arrayBuffer()),
  };
}
export const downloadCardText = async (viewer: Visitor, id: string, query = 'format=json') =>
  new TextDecoder().decode((await downloadCard(viewer, id, query)).bytes);
