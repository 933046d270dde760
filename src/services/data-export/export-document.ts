import { BRAND } from '../../config/brand.ts';
import { encodePieces } from '../../lib/text-stream.ts';
import {
  iterateCharacters,
  serializeCharacter,
  iterateConversations,
  type Download,
  openConversation,
  streamPointsJson,
} from './export-sources.ts';

/**
 * Streams the export as one JSON document. It stays valid JSON when parts cannot be read; its end lists them.
 * @param nextUrl returns the address of the next document, given the last conversation of this one
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
    yield* encodePieces(streamPointsJson(download, 'points'));
    yield* text(',"characters":[\n');
    let comma = '';
    for await (const character of iterateCharacters(download)) {
      yield* text(`${comma}${await serializeCharacter(character, download)}\n`);
      comma = ',';
    }
    yield* text(']');
  }
  yield* text(',"conversations":[\n');
  let comma = '';
  for await (const { id } of iterateConversations(download)) {
    yield* text(comma);
    comma = ',';
    const chat = await openConversation(download, id, { format: 'json' }, `conversations/${id}`);
    let hasStarted = false;
    for await (const chunk of chat?.text ?? []) {
      hasStarted = true;
      yield chunk;
    }
    yield* text(
      hasStarted
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
