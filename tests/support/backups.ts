import { strToU8, zipSync } from 'fflate';
import { buildPng, buildTextChunk, type Bytes, encodeCard } from './card-files.ts';

/** Backups of SillyTavern, as its “Download Backup” packs them. */

/** Packs files as an archive. Texts are encoded, and everything else is packed as JSON. */
export function packBackup(files: Record<string, unknown>): Bytes {
  const encode = (body: unknown) =>
    body instanceof Uint8Array ? body : strToU8(typeof body === 'string' ? body : JSON.stringify(body));
  return zipSync(
    Object.fromEntries(Object.entries(files).map(([name, body]) => [name, encode(body)])),
  ) as Bytes;
}

/** A card as SillyTavern stores it: a picture with its JSON. */
export const buildTavernCard = (data: Record<string, unknown>, picture?: Uint8Array): Bytes => {
  const card = encodeCard({
    spec: 'chara_card_v2',
    spec_version: '2.0',
    data: {
      description: 'Keeps the light.',
      first_mes: 'The lamp is lit.',
      ...data,
    },
  });
  const chunk = buildTextChunk('chara', card);
  if (picture === undefined) return buildPng(chunk);
  const end = picture.length - 12;
  return Buffer.concat([picture.subarray(0, end), chunk, picture.subarray(end)]) as unknown as Bytes;
};

/** A chat with one reply in two versions. */
export const buildTavernChat = (character: string, ...said: string[]): string =>
  [
    { user_name: 'Wren', character_name: character, chat_metadata: {} },
    ...said.flatMap((text) => [
      { name: 'Wren', is_user: true, mes: text, send_date: '2026-01-02T03:04:05.000Z' },
      {
        name: character,
        is_user: false,
        mes: `${text}, answered`,
        swipes: [`${text}, tried`, `${text}, answered`],
        swipe_id: 1,
        extra: { api: 'openai', model: 'some-model' },
      },
    ]),
  ]
    .map((line) => JSON.stringify(line))
    .join('\n');

/** A world with one entry. */
export const buildTavernWorld = (key: string) => ({
  entries: {
    0: { uid: 0, key: [key], keysecondary: [], content: `${key} is far.`, disable: false, order: 100 },
  },
});

export const buildTavernSettings = (personas: Record<string, [name: string, description: string]>) => ({
  power_user: {
    personas: Object.fromEntries(Object.entries(personas).map(([avatar, [name]]) => [avatar, name])),
    persona_descriptions: Object.fromEntries(
      Object.entries(personas).map(([avatar, [, description]]) => [avatar, { description, position: 0 }]),
    ),
  },
});
