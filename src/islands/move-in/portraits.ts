import { resizePortrait } from '../character-form/card-portrait.ts';
import { encodePicture } from '../picture/picture-file.ts';
import { PORTRAIT_FRAME } from '../picture/picture-crop.ts';
import type { PortraitMaker } from './move-item.ts';

/** Height of the letter on a drawn portrait, as a share of the portrait's width. */
const LETTER_SIZE = 0.6;
/** The inks of drawn portraits: dark enough for a light letter. */
const INKS = ['#3b2f2f', '#2f3b38', '#2f3340', '#40342f', '#3a2f40', '#39402f'];
const LETTER_COLOUR = '#f3ead7';

/** Draws a portrait with the first letter of a name, for cards without a picture. */
async function drawPortrait(name: string): Promise<Blob | null> {
  const canvas = document.createElement('canvas');
  canvas.width = PORTRAIT_FRAME.width;
  canvas.height = PORTRAIT_FRAME.height;
  const context = canvas.getContext('2d');
  if (context === null) return null;
  const [first = ''] = name.trim();
  context.fillStyle = INKS[(first.codePointAt(0) ?? 0) % INKS.length] as string;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = LETTER_COLOUR;
  context.font = `${canvas.width * LETTER_SIZE}px ${getComputedStyle(document.body).fontFamily}`;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.fillText(first.toUpperCase(), canvas.width / 2, canvas.height / 2);
  return encodePicture(canvas);
}

export const browserPortraits: PortraitMaker = {
  resize: (card) => resizePortrait(card).catch(() => null),
  draw: (name) => drawPortrait(name),
};
