import type { Database } from '../../db/open.ts';
import { computeHash } from '../../lib/hash.ts';
import { joined } from '../picture/bytes.ts';
import type { CardExtras } from '../character/definition.ts';
import { type Card, extrasOf, readCard } from './card-shape.ts';
import {
  broughtCard,
  cardOfCharacter,
  forgetGoingCards,
  giveUpUnclaimed,
  type GoingCard,
  isCardNoted,
  noteCard,
} from './card-store.ts';
import type { CardDraft } from './contract.ts';
import { readJson } from './json-text.ts';
import { Work } from './chunked-bytes.ts';

type Storage = Pick<Env, 'MEDIA'>;

/**
 * Where an original lies: by owner and content, and by the import, so that one can go without a thought of any other. No
 * address leads there.
 */
async function keyOf(ownerId: string, id: string, json: Uint8Array): Promise<string> {
  const whole = joined([new TextEncoder().encode(`${ownerId}\n${id}\n`), json]);
  return `cards/${await computeHash(whole)}`;
}

/**
 * Keeps the original of a card that was counted (`countBringing`): its row first, so that no bytes lie anywhere that nobody
 * knows of.
 * @returns older ones that have to make room (for `removeGoingCards`); null when its owner went meanwhile
 */
export async function keepOriginal(
  env: Storage,
  db: Database,
  input: { id: string; ownerId: string; json: Uint8Array; draft: CardDraft; now: number },
): Promise<GoingCard[] | null> {
  const { id, ownerId, json, now } = input;
  const objectKey = await keyOf(ownerId, id, json);
  const draft = JSON.stringify(input.draft);
  const going = await noteCard(db, { id, ownerId, objectKey, bytes: json.length, draft, now });
  await env.MEDIA.put(objectKey, json, { httpMetadata: { contentType: 'application/json' } });
  if (!(await isCardNoted(db, id))) {
    await env.MEDIA.delete(objectKey);
    return null;
  }
  return going;
}

/**
 * What a card that somebody brought has beside its draft: nickname, creator notes, lorebook. Null when they brought none of
 * that id, or it is kept no longer.
 */
export async function extrasOfBrought(
  db: Database,
  env: Storage,
  input: { importId: string; ownerId: string },
): Promise<CardExtras | null> {
  const found = await broughtCard(db, input);
  if (found === null) return null;
  const object = await env.MEDIA.get(found.objectKey);
  const card = object === null ? null : cardIn(new Uint8Array(await object.arrayBuffer()));
  return card === null ? null : extrasOf(card);
}

/** What lies in storage was read once: it is within all bounds. */
function cardIn(json: Uint8Array): Card | null {
  const read = readJson(json, new Work());
  return read.ok ? readCard(read.value) : null;
}

/** A card as it came, beside what became of it in the form. */
export interface Original {
  /** To the byte. */
  json: Uint8Array;
  card: Card;
  draft: CardDraft;
}

/** The card that a character was made of; null when it was made here. */
export async function originalOf(env: Storage, db: Database, characterId: string): Promise<Original | null> {
  const found = await cardOfCharacter(db, characterId);
  const object = found === null ? null : await env.MEDIA.get(found.objectKey);
  if (found === null || object === null) return null;
  const json = new Uint8Array(await object.arrayBuffer());
  const card = cardIn(json);
  return card === null ? null : { json, card, draft: JSON.parse(found.draft) as CardDraft };
}

/** Takes cards away that were given up: first their originals, so that what fails is known to be there still. */
export async function removeGoingCards(
  env: Storage,
  db: Database,
  going: readonly GoingCard[],
): Promise<void> {
  if (going.length === 0) return;
  await env.MEDIA.delete(going.map(({ objectKey }) => objectKey));
  await forgetGoingCards(
    db,
    going.map(({ id }) => id),
  );
}

/** Takes cards away of which nobody made a character; run by cron, and harmless to repeat. */
export async function removeUnclaimedCards(env: Storage, db: Database, now: number): Promise<void> {
  await removeGoingCards(env, db, await giveUpUnclaimed(db, now));
}
