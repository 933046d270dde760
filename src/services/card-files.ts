import { type CameAs, cardsOf, withIcon } from '../features/cards/card-export.ts';
import { embeddedName } from '../features/cards/card-file.ts';
import type { StoredSource } from '../features/cards/card-source-store.ts';
import { charxOf, safeName } from '../features/cards/charx.ts';
import { OWN_PORTRAIT } from '../features/cards/png-embed.ts';
import { isPng, plainPng, withAsset, withTexts } from '../features/cards/png-out.ts';

/** What a card is made of: the character, the card that it was made of (for its maker alone), and where pictures lie. */
export interface CardWish {
  source: StoredSource;
  came: CameAs | null;
  media: R2Bucket;
}

/** Of a file in an archive: a name that is longer is of no use to any system, and one of 64 KiB has no room there. */
const MAX_NAME_CHARS = 200;

export interface OutFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

interface Portrait {
  bytes: Uint8Array;
  /** How its name ends, such as `webp`. */
  ext: string;
  /** Whether it is another one than the card came with. */
  replaced: boolean;
}

async function portraitOf({ source, came, media }: CardWish): Promise<Portrait | null> {
  const key = source.avatarKey;
  const object = key === '' ? null : await media.get(key);
  if (object === null) return null;
  return {
    bytes: new Uint8Array(await object.arrayBuffer()),
    ext: key.slice(key.lastIndexOf('.') + 1),
    replaced: came !== null && came.draft.avatar_id !== key,
  };
}

/** A card as JSON, in the version that is wanted, or in that which it came in. */
export function jsonFile({ source, came }: CardWish, spec: 'v2' | 'v3' | undefined): OutFile {
  const { json } = cardsOf(source, came)[spec ?? 'own'];
  return { bytes: json as Uint8Array<ArrayBuffer>, type: 'application/json; charset=utf-8' };
}

/**
 * A card as a PNG with both versions in it. The portrait is the picture where it is a PNG itself; one of another kind lies
 * in the file beside a plain picture, because nothing here can redraw it (decision 21).
 */
export async function pngFile(wish: CardWish): Promise<OutFile> {
  const portrait = await portraitOf(wish);
  const cards = cardsOf(wish.source, wish.came);
  const carries = portrait !== null && isPng(portrait.bytes);
  const v3 =
    carries || portrait === null || cards.v3.asItCame
      ? cards.v3
      : withIcon(
          cards.v3,
          { uri: `__asset:${OWN_PORTRAIT}`, ext: portrait.ext },
          { isHere: () => false, replaced: true },
        ).out;
  const picture = withTexts(carries ? portrait.bytes : plainPng(), [
    ['chara', cards.v2.json],
    ['ccv3', v3.json],
  ]);
  const bytes = carries || portrait === null ? picture : withAsset(picture, OWN_PORTRAIT, portrait.bytes);
  return { bytes, type: 'image/png' };
}

/** A card as a CharX: an archive with version 3 and the portrait, which the card names. */
export async function charxFile(wish: CardWish): Promise<OutFile> {
  const portrait = await portraitOf(wish);
  const { v3 } = cardsOf(wish.source, wish.came);
  const type = 'application/zip';
  if (portrait === null) return { bytes: charxOf(v3.json, null, wish.source.updatedAt), type };
  const name = `assets/icon/images/main.${portrait.ext}`;
  const isHere = (uri: string) => {
    const within = embeddedName(uri);
    if (within === null || within.length > MAX_NAME_CHARS) return false;
    return within !== 'card.json' && safeName(within) === within && !within.endsWith('/');
  };
  const { out, uri } = withIcon(
    v3,
    { uri: `embeded://${name}`, ext: portrait.ext },
    { isHere, replaced: portrait.replaced },
  );
  const picture = { name: embeddedName(uri) ?? name, bytes: portrait.bytes };
  return { bytes: charxOf(out.json, picture, wish.source.updatedAt), type };
}
