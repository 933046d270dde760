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
import type { DraftFields } from './card-draft.ts';
import { parseUntrustedJson } from './json-text.ts';
import { WorkCounter } from './chunked-bytes.ts';

/** Metadata of an object: how many of its bytes are the JSON. The rest are PNG chunks of other programs. */
const JSON_BYTES = 'json_bytes';

type MediaEnv = Pick<Env, 'MEDIA'>;

/**
 * Returns the storage key of an original: a hash of owner, import and content, so that each import can be deleted
 * without regard to others. The object has no public URL.
 */
async function buildObjectKey(ownerId: string, id: string, content: Uint8Array): Promise<string> {
  const whole = joinBytes([new TextEncoder().encode(`${ownerId}\n${id}\n`), content]);
  return `cards/${await computeHash(whole)}`;
}

async function readOriginal(object: R2ObjectBody): Promise<{ json: Uint8Array; metadata: Uint8Array }> {
  const bytes = new Uint8Array(await object.arrayBuffer());
  const end = Number(object.customMetadata?.[JSON_BYTES] ?? bytes.length);
  return { json: bytes.subarray(0, end), metadata: bytes.subarray(end) };
}

/**
 * Stores the original of a card. Its row is written first, so that every stored object is known to the database.
 * @returns older cards that exceed the limit (for `removeExpiredCards`); null when the owner was deleted in between, or has no room for it
 */
export async function storeOriginal(
  env: MediaEnv,
  db: Database,
  input: {
    id: string;
    ownerId: string;
    json: Uint8Array;
    metadata: Uint8Array;
    draft: DraftFields;
    /** The most bytes that the owner may store. */
    maxBytes: number;
    now: number;
  },
): Promise<ExpiredCard[] | null> {
  const { id, ownerId, json, maxBytes, now } = input;
  const content = joinBytes([json, input.metadata]);
  const objectKey = await buildObjectKey(ownerId, id, content);
  const draft = JSON.stringify(input.draft);
  const going = await recordImport(db, {
    id,
    ownerId,
    objectKey,
    bytes: content.length,
    maxBytes,
    draft,
    now,
  });
  await env.MEDIA.put(objectKey, content, {
    httpMetadata: { contentType: 'application/json' },
    customMetadata: { [JSON_BYTES]: String(json.length) },
  });
  if (!(await isImportRecorded(db, id))) {
    await env.MEDIA.delete(objectKey);
    return null;
  }
  return going;
}

/**
 * Returns what an imported card has in addition to its draft: nickname, lorebook, definition. Null when the user has
 * no import with that id, or it has expired.
 */
export async function getImportedExtras(
  db: Database,
  env: MediaEnv,
  input: { importId: string; ownerId: string },
): Promise<CardExtras | null> {
  const found = await getImportedCard(db, input);
  if (found === null) return null;
  const object = await env.MEDIA.get(found.objectKey);
  const card = object === null ? null : parseStoredCard((await readOriginal(object)).json);
  return card === null ? null : getCardExtras(card);
}

/** Stored cards have passed the limits once, so their work need not be counted. */
function parseStoredCard(json: Uint8Array): Card | null {
  const read = parseUntrustedJson(json, new WorkCounter());
  return read.ok ? readCard(read.value) : null;
}

/** An imported card, with the form's fields that it filled in. */
export interface OriginalCard {
  /** The original bytes. */
  json: Uint8Array;
  /** PNG chunks of other programs. */
  metadata: Uint8Array;
  card: Card;
  draft: DraftFields;
}

/** Returns the card that a character was imported from; null when it was created here. */
export async function getOriginalCard(
  env: MediaEnv,
  db: Database,
  characterId: string,
): Promise<OriginalCard | null> {
  const found = await findCharacterCard(db, characterId);
  const object = found === null ? null : await env.MEDIA.get(found.objectKey);
  if (found === null || object === null) return null;
  const { json, metadata } = await readOriginal(object);
  const card = parseStoredCard(json);
  return card === null ? null : { json, metadata, card, draft: JSON.parse(found.draft) as DraftFields };
}

/** Deletes expired cards, their originals first, so that after a failure the rows still refer to what is left. */
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

/** Deletes cards that were not used for a character; run by cron, safe to repeat. */
export async function removeUnclaimedCards(env: MediaEnv, db: Database, now: number): Promise<void> {
  await removeExpiredCards(env, db, await expireUnclaimedCards(db, now));
}
