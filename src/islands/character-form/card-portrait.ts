import { PICTURE } from '../../features/picture/limits.ts';
import type { ImportedCard } from '../../features/cards/contract.ts';
import { PNG_SIGNATURE } from '../../features/cards/png-embed.ts';
import { CENTERED_CROP, MAX_SOURCE_PX, PORTRAIT_FRAME } from '../picture/picture-crop.ts';
import { cropPicture } from '../picture/picture-file.ts';
import type { UploadOptions } from '../shared/send-form.ts';
import type { FormApi } from './form-api.ts';

/** Only PNG cards are themselves pictures. */
async function isPng(file: Blob): Promise<boolean> {
  const head = new Uint8Array(await file.slice(0, PNG_SIGNATURE.length).arrayBuffer());
  return PNG_SIGNATURE.every((byte, index) => head[index] === byte);
}

/** Scales a card's whole picture down to portrait size; null if it is too large or the browser cannot encode it. */
export async function resizePortrait(file: Blob): Promise<Blob | null> {
  const picture = await createImageBitmap(file);
  try {
    const { width, height } = picture;
    if (Math.max(width, height) > MAX_SOURCE_PX) return null;
    const isLargeEnough = Math.max(PORTRAIT_FRAME.width / width, PORTRAIT_FRAME.height / height);
    const scale = Math.min(1, isLargeEnough, PICTURE.maxSidePx / Math.max(width, height));
    return await cropPicture(picture, CENTERED_CROP, {
      width: Math.max(1, Math.round(width * scale)),
      height: Math.max(1, Math.round(height * scale)),
    });
  } finally {
    picture.close();
  }
}

/**
 * Adds a portrait to an imported card whose picture exceeds the portrait limit: scales it in the browser, where a
 * decoder is available, and uploads it separately. Returns the card unchanged, with its note, if this fails.
 * @param file the card's file
 */
export async function uploadCardPortrait(
  card: ImportedCard,
  file: Blob,
  { sendPicture, signal }: Pick<FormApi, 'sendPicture'> & UploadOptions,
): Promise<ImportedCard> {
  const isTooLarge = card.notes.some(({ code }) => code === 'picture_too_large');
  if (!isTooLarge || !(await isPng(file))) return card;
  const picture = await resizePortrait(file).catch(() => null);
  const answer = picture === null || signal.aborted ? null : await sendPicture(picture, { signal });
  if (answer?.ok !== true) return card;
  const { avatar_id, url } = answer.data;
  return {
    ...card,
    draft: { ...card.draft, avatar_id, avatar_url: url },
    notes: card.notes.filter(({ code }) => code !== 'picture_too_large'),
  };
}
