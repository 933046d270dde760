import { type SourceCard, buildExportedCards, setIcon } from '../features/cards/card-export.ts';
import { getEmbeddedName } from '../features/cards/card-file.ts';
import type { StoredCardSource } from '../features/cards/card-source-store.ts';
import { sanitizeEntryName } from '../lib/zip-directory.ts';
import { buildCharx } from '../features/cards/charx.ts';
import { OWN_PORTRAIT_ASSET } from '../features/cards/png-embed.ts';
import { isPng, renderPlainPng, addAsset, addMetadata, addTexts } from '../features/cards/png-write.ts';

/** The input of a card export. `came` is the imported original, for the creator's own exports only. */
export interface CardExportInput {
  source: StoredCardSource;
  came: SourceCard | null;
  media: R2Bucket;
}

/** Longer entry names are useless on any file system, and ZIP cannot store names of 64 KiB. */
const MAX_NAME_CHARS = 200;

export interface ExportedFile {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
}

interface Portrait {
  bytes: Uint8Array;
  /** File extension, such as `webp`. */
  ext: string;
  /** Whether it replaced the portrait of the imported card. */
  replaced: boolean;
}

async function readPortrait({ source, came, media }: CardExportInput): Promise<Portrait | null> {
  const key = source.avatarKey;
  const object = key === '' ? null : await media.get(key);
  if (object === null) return null;
  return {
    bytes: new Uint8Array(await object.arrayBuffer()),
    ext: key.slice(key.lastIndexOf('.') + 1),
    replaced: came !== null && came.draft.avatar_id !== key,
  };
}

/** Exports a card as JSON, in the requested version or in the one that was imported. */
export function buildJsonFile(
  { source, came }: CardExportInput,
  spec: 'v2' | 'v3' | undefined,
): ExportedFile {
  const { json } = buildExportedCards(source, came)[spec ?? 'own'];
  return { bytes: json as Uint8Array<ArrayBuffer>, type: 'application/json; charset=utf-8' };
}

/**
 * Exports a card as a PNG that contains both versions. A PNG portrait is the picture itself. Any other format is attached
 * to a plain picture, because the Worker cannot convert images (decision 21).
 */
export async function buildPngFile(input: CardExportInput): Promise<ExportedFile> {
  const portrait = await readPortrait(input);
  const cards = buildExportedCards(input.source, input.came);
  const hasPngPortrait = portrait !== null && isPng(portrait.bytes);
  const v3 =
    hasPngPortrait || portrait === null || cards.v3.isUnchanged
      ? cards.v3
      : setIcon(
          cards.v3,
          { uri: `__asset:${OWN_PORTRAIT_ASSET}`, ext: portrait.ext },
          { isHere: () => false, replaced: true },
        ).out;
  const withCards = addTexts(hasPngPortrait ? portrait.bytes : renderPlainPng(), [
    ['chara', cards.v2.json],
    ['ccv3', v3.json],
  ]);
  const isOwnPicture = hasPngPortrait && !portrait.replaced;
  const picture = addMetadata(withCards, input.came?.metadata ?? new Uint8Array(0), isOwnPicture);
  const bytes =
    hasPngPortrait || portrait === null ? picture : addAsset(picture, OWN_PORTRAIT_ASSET, portrait.bytes);
  return { bytes, type: 'image/png' };
}

/** Exports a card as CharX: a ZIP archive with version 3 and the portrait that it refers to. */
export async function buildCharxFile(input: CardExportInput): Promise<ExportedFile> {
  const portrait = await readPortrait(input);
  const { v3 } = buildExportedCards(input.source, input.came);
  const type = 'application/zip';
  if (portrait === null) return { bytes: buildCharx(v3.json, null, input.source.updatedAt), type };
  const name = `assets/icon/images/main.${portrait.ext}`;
  const isHere = (uri: string) => {
    const within = getEmbeddedName(uri);
    if (within === null || within.length > MAX_NAME_CHARS) return false;
    return within !== 'card.json' && sanitizeEntryName(within) === within && !within.endsWith('/');
  };
  const { out, uri } = setIcon(
    v3,
    { uri: `embeded://${name}`, ext: portrait.ext },
    { isHere, replaced: portrait.replaced },
  );
  const picture = { name: getEmbeddedName(uri) ?? name, bytes: portrait.bytes };
  return { bytes: buildCharx(out.json, picture, input.source.updatedAt), type };
}
