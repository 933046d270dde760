import { env } from 'cloudflare:workers';
import { imageDimensionsFromData } from 'image-dimensions';
import { PICTURE_TYPES, type PictureKind } from '../../features/picture/picture.ts';
import type { SharePicture } from './share-picture-address.ts';
import { loadOptional } from './load-optional.ts';

/** Formats that link previews support; AVIF is not one of them. */
const SHAREABLE_KINDS: ReadonlySet<string> = new Set<PictureKind>(['png', 'jpg', 'webp', 'gif']);
const PORTRAIT_PATH = /^\/media\/(?<key>[0-9a-f]{32}\.(?<kind>[a-z]{3,4}))$/;
/** In bytes; the size is in the header. In a JPEG, only metadata such as colour profiles comes before it. */
const MAX_HEADER_BYTES = 64 * 1024;

/**
 * A portrait as a preview picture, with its actual size read from its first bytes.
 * @param portrait its address on this site
 * @returns undefined if the format is unsupported or the size unknown; the site's picture is used instead
 */
export async function getPortraitSharePicture(
  portrait: string,
  alt: string,
): Promise<SharePicture | undefined> {
  const { key, kind } = PORTRAIT_PATH.exec(portrait)?.groups ?? {};
  if (key === undefined || kind === undefined || !SHAREABLE_KINDS.has(kind)) return undefined;
  const head = await loadOptional(async () => {
    const object = await env.MEDIA.get(key, { range: { offset: 0, length: MAX_HEADER_BYTES } });
    return object === null ? null : new Uint8Array(await object.arrayBuffer());
  });
  const size = head === null ? undefined : imageDimensionsFromData(head);
  if (size === undefined) return undefined;
  const { width, height } = size;
  return { path: portrait, type: PICTURE_TYPES[kind as PictureKind], width, height, alt };
}
