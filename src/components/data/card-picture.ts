import { extractPortrait, replacePicture } from '../../features/cards/png-embed.ts';

/*
 * The card as a picture, drawn where there is somebody who can: a portrait that is no PNG lies in the server's file beside a
 * plain picture, and a browser can put it there as the picture itself. Without scripts, and whenever anything fails, the
 * link gives the server's file.
 */

const PICTURE_LINK = 'a[download][href*="/card?format=png"]';

/** A picture of any kind as a PNG; null when the browser cannot draw or write it. */
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

/** How the server calls its file. */
function getFileName(answer: Response): string {
  const name = /filename\*=UTF-8''([^;]+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  return name === undefined ? '' : decodeURIComponent(name);
}

function downloadFile(href: string, name: string): void {
  const link = document.createElement('a');
  link.href = href;
  link.download = name;
  // Not in the page: nobody's listener hears of it.
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
    // The browser has begun to read it by then.
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
