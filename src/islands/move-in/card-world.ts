import { decodeBase64 } from '../../features/cards/base64.ts';
import { PNG_SIGNATURE, splitChunks } from '../../features/cards/png-embed.ts';
import { readAscii } from '../../features/picture/bytes.ts';

/** Keywords of the chunks with a card, the newer version first. */
const CARD_KEYWORDS = ['ccv3', 'chara'];

function readCardJson(file: Uint8Array): Uint8Array | null {
  if (!PNG_SIGNATURE.every((byte, index) => file[index] === byte)) return file;
  const chunks = splitChunks(file);
  for (const keyword of CARD_KEYWORDS) {
    const start = `${keyword}\0`;
    const found = chunks.find(
      ({ kind, body }) => kind === 'tEXt' && readAscii(body, 0, start.length) === start,
    );
    if (found !== undefined) return decodeBase64(found.body.subarray(start.length));
  }
  return null;
}

/**
 * Returns the name of the lorebook that SillyTavern links with a card (`data.extensions.world`), in PNG or JSON; null if
 * there is none.
 */
export function readLinkedWorld(file: Uint8Array): string | null {
  const json = readCardJson(file);
  if (json === null) return null;
  try {
    const card = JSON.parse(new TextDecoder().decode(json)) as {
      data?: { extensions?: { world?: unknown } };
    } | null;
    const world = card?.data?.extensions?.world;
    return typeof world === 'string' && world !== '' ? world : null;
  } catch {
    return null;
  }
}
