import { BRAND } from '../../config/brand.ts';
import { encodePieces } from '../../lib/text-stream.ts';
import {
  charactersOf,
  characterJson,
  chatsOf,
  type Download,
  openChat,
  pointsJson,
} from './export-sources.ts';

/**
 * Everything as one JSON document, in pieces. It is whole JSON whatever cannot be read: what is missing is named at its
 * end.
 * @param nextUrl the address of the next document, given the last chat of this one
 */
export async function* exportDocument(
  download: Download,
  nextUrl: (after: string) => string,
): AsyncGenerator<Uint8Array> {
  const { account, after, part, now } = download;
  const about = {
    format: `${BRAND.modelValue}-data`,
    version: 1,
    saved_at: new Date(now).toISOString(),
    part,
  };
  yield* text(JSON.stringify(after === null ? { ...about, account } : about).slice(0, -1));
  if (after === null) {
    yield* text(',\n"points":');
    yield* encodePieces(pointsJson(download, 'points'));
    yield* text(',"characters":[\n');
    let comma = '';
    for await (const character of charactersOf(download)) {
      yield* text(`${comma}${await characterJson(character, download)}\n`);
      comma = ',';
    }
    yield* text(']');
  }
  yield* text(',"conversations":[\n');
  let comma = '';
  for await (const { id } of chatsOf(download)) {
    yield* text(comma);
    comma = ',';
    const chat = await openChat(download, id, { format: 'json' }, `conversations/${id}`);
    let begun = false;
    for await (const chunk of chat?.text ?? []) {
      begun = true;
      yield chunk;
    }
    yield* text(
      begun
        ? chat?.broken === true
          ? '],"incomplete":true}\n'
          : ']}\n'
        : `${JSON.stringify({ id, missing: true })}\n`,
    );
  }
  const { missing, next } = download;
  const end = { missing, next: next === null ? null : nextUrl(next) };
  yield* text(`],${JSON.stringify(end).slice(1)}\n`);
}

const text = (said: string): AsyncGenerator<Uint8Array> => encodePieces([said]);
