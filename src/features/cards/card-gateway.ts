import type { Database } from '../../db/open.ts';
import { computeHash } from '../../lib/hash.ts';
import { joinBytes } from '../picture/bytes.ts';
import type { CardExtras } from '../character/definition.ts';
import { type Card, getCardExtras, readCard } from './card-fields.ts';
import {
  getImportedCard,
  findCharacterCard,
  deleteExpiredCards,
  expireUnclaimedCards,
  type ExpiredCard,
  isImportRecorded,
  recordImport,
} from './card-store.ts';
import type { CardDraft } from './contract.ts';
import { parseUntrustedJson } from './json-text.ts';
import { WorkCounter } from './chunked-bytes.ts';

type MediaEnv = Pick<Env, 'MEDIA'>;

/**
 * Where an original lies: by owner and content, and by the import, so that one can go without a thought of any other. No
 * address leads there.
 */
async function buildObjectKey(ownerId: string, id: string, json: Uint8Array): Promise<string> {
  const whole = joinBytes([new TextEncoder().encode(`${ownerId}\n${id}\n`), json]);
  return `cards/${await computeHash(whole)}`;
}

/**
 * Keeps the original of a card that was counted (`countImport`): its row first, so that no bytes lie anywhere that nobody
 * knows of.
 * @returns older ones that have to make room (for `removeExpiredCards`); null when its owner went meanwhile
 */
export async function storeOriginal(
  env: MediaEnv,
  db: Database,
  input: { id: string; ownerId: string; json: Uint8Array; draft: CardDraft; now: number },
): Promise<ExpiredCard[] | null> {
  const { id, ownerId, json, now } = input;
  const objectKey = await buildObjectKey(ownerId, id, json);
  const draft = JSON.stringify(input.draft);
  const going = await recordImport(db, { id, ownerId, objectKey, bytes: json.length, draft, now });
  await env.MEDIA.put(objectKey, json, { httpMetadata: { contentType: 'application/json' } });
  if (!(await isImportRecorded(db, id))) {
    await env.MEDIA.delete(objectKey);
    return null;
  }
  return going;
}

/**
 * What a card that somebody brought has beside its draft: nickname, creator notes, lorebook. Null when they brought none of
 * that id, or it is kept no longer.
 */
export async function getImportedExtras(
  db: Database,
  env: MediaEnv,
  input: { importId: string; ownerId: string },
): Promise<CardExtras | null> {
  const found = await getImportedCard(db, input);
  if (found === null) return null;
  const object = await env.MEDIA.get(found.objectKey);
  const card = object === null ? null : parseStoredCard(new Uint8Array(await object.arrayBuffer()));
  return card === null ? null : getCardExtras(card);
}

/** What lies in storage was read once: it is within all bounds. */
function parseStoredCard(json: Uint8Array): Card | null {
  const read = parseUntrustedJson(json, new WorkCounter());
  return read.ok ? readCard(read.value) : null;
}

/** A card as it came, beside what became of it in the form. */
export interface OriginalCard {
  /** To the byte. */
  json: Uint8Array;
  card: Card;
  draft: CardDraft;
}

/** The card that a character was made of; null when it was made here. */
export async function getOriginalCard(
  env: MediaEnv,
  db: Database,
  characterId: string,
): Promise<OriginalCard | null> {
  const found = await findCharacterCard(db, characterId);
  const object = found === null ? null : await env.MEDIA.get(found.objectKey);
  if (found === null || object === null) return null;
  const json = new Uint8Array(await object.arrayBuffer());
  const card = parseStoredCard(json);
  return card === null ? null : { json, card, draft: JSON.parse(found.draft) as CardDraft };
}

/** Takes cards away that were given up: first their originals, so that what fails is known to be there still. */
export async function removeExpiredCards(
  env: MediaEnv,
  db: Database,
  going: readonly ExpiredCard[],
): Promise<void> {
  if (going.length === 0) return;
  await env.MEDIA.delete(going.map(({ objectKey }) => objectKey));
  await deleteExpiredCards(
    db,
    going.map(({ id }) => id),
  );
}

/** Takes cards away of which nobody made a character; run by cron, and harmless to repeat. */
export async function removeUnclaimedCards(env: MediaEnv, db: Database, now: number): Promise<void> {
  await removeExpiredCards(env, db, await expireUnclaimedCards(db, now));
}
