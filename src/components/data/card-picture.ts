import { extractPortrait, replacePicture } from '../../features/cards/png-embed.ts';

/*
 * Puts the portrait into a PNG card in the browser. The server cannot convert images: for a portrait that is not a PNG,
 * its card shows a placeholder and contains the portrait as extra data. Without scripts, or if anything fails, the link
 * downloads the server's file.
 */

const PICTURE_LINK = 'a[download][href*="/card?format=png"]';

/** Converts a picture to PNG; null if the browser cannot decode or encode it. */
async function toPng(bytes: Uint8Array): Promise<Uint8Array | null> {
  const picture = await createImageBitmap(new Blob([bytes as Uint8Array<ArrayBuffer>]));
  const canvas = document.createElement('canvas');
  canvas.width = picture.width;
  canvas.height = picture.height;
  canvas.getContext('2d')?.drawImage(picture, 0, 0);
  picture.close();
  const png = await new Promise<Blob | null>((resolve) => {
    canvas.toBlob(resolve, 'image/png');
  });
  return png === null || png.type !== 'image/png' ? null : new Uint8Array(await png.arrayBuffer());
}

/** The file name from the `Content-Disposition` header. */
function getFileName(answer: Response): string {
  const name = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  return name === undefined ? '' : decodeURIComponent(name);
}

function downloadFile(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  // The link is not in the document, so page listeners do not see this click.
  link.click();
}

async function downloadCard(link: HTMLAnchorElement): Promise<void> {
  try {
    const answer = await fetch(link.href);
    if (!answer.ok) throw new Error('the card was refused');
    const card = new Uint8Array(await answer.arrayBuffer());
    const portrait = extractPortrait(card);
    const pngPortrait = portrait === null ? null : await toPng(portrait);
    const file = pngPortrait === null ? card : replacePicture(card, pngPortrait);
    const url = URL.createObjectURL(new Blob([file], { type: 'image/png' }));
    downloadFile(url, getFileName(answer));
    // By then the browser has started to read the blob.
    setTimeout(() => URL.revokeObjectURL(url), 60_000);
  } catch {
    downloadFile(link.href, '');
  }
}

document.addEventListener('click', (event) => {
  const link = (event.target as Element).closest<HTMLAnchorElement>(PICTURE_LINK);
  const isPlainClick =
    event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
  if (link === null || !isPlainClick || link.ariaBusy === 'true') return;
  event.preventDefault();
  link.ariaBusy = 'true';
  void downloadCard(link).finally(() => {
    link.ariaBusy = null;
  });
});
