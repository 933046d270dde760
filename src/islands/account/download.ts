import { answerOf, type Failure, NETWORK_FAILURE } from '../shared/api.ts';

export type ExportFormat = 'zip' | 'json';

/** The name that the server gave a file, without anything that could name a place. */
export function fileName(disposition: string | null, fallback: string): string {
  const extended = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plain = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];
  let name = plain ?? '';
  try {
    name = extended === undefined ? name : decodeURIComponent(extended);
  } catch {
    // The plain one it is.
  }
  return name.replaceAll(/[/\\\p{Cc}]/gu, '').trim() || fallback;
}

/** Hands a file to the browser's downloads. */
function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // The browser has begun to read it by then.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

/**
 * Downloads everything. Fetched rather than linked to, because a link could tell neither how far it is nor why it was
 * refused; the browser keeps what comes on its disk, not in the page.
 * @param onBytes how many have come
 * @returns why it did not work; null when it is here, and also when it was stopped
 */
export async function downloadEverything(
  format: ExportFormat,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Failure | null> {
  const address = `/api/account/export${format === 'json' ? '?format=json' : ''}`;
  const answer = await answerOf(fetch(address, { signal }));
  if (signal.aborted) return null;
  if ('code' in answer) return answer;
  let bytes = 0;
  const counted = answer.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(piece, controller) {
        bytes += piece.byteLength;
        onBytes(bytes);
        controller.enqueue(piece);
      },
    }),
  );
  try {
    const type = answer.headers.get('content-type') ?? '';
    const file = await new Response(counted ?? null, { headers: { 'content-type': type } }).blob();
    save(file, fileName(answer.headers.get('content-disposition'), `everything.${format}`));
    return null;
  } catch {
    return signal.aborted ? null : NETWORK_FAILURE;
  }
}
