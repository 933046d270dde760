import { resolveResponse, type Failure, NETWORK_FAILURE } from '../shared/api.ts';

export type ExportFormat = 'zip' | 'json';

/** The name that the server gave a file, without anything that could name a place. */
export function parseFileName(disposition: string | null, fallback: string): string {
  const encodedName = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plainName = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];
  let name = plainName ?? '';
  try {
    name = encodedName === undefined ? name : decodeURIComponent(encodedName);
  } catch {
    // The plain one it is.
  }
  return name.replaceAll(/[/\\\p{Cc}]/gu, '').trim() || fallback;
}

/** Hands a file to the browser's downloads. */
function saveFile(file: Blob, name: string): void {
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
export async function downloadExport(
  format: ExportFormat,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Failure | null> {
  const address = `/api/account/export${format === 'json' ? '?format=json' : ''}`;
  const answer = await resolveResponse(fetch(address, { signal }));
  if (signal.aborted) return null;
  if ('code' in answer) return answer;
  let bytes = 0;
  const byteCounter = answer.body?.pipeThrough(
    new TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>>({
      transform(chunk, controller) {
        bytes += chunk.byteLength;
        onBytes(bytes);
        controller.enqueue(chunk);
      },
    }),
  );
  try {
    const type = answer.headers.get('content-type') ?? '';
    const file = await new Response(byteCounter ?? null, { headers: { 'content-type': type } }).blob();
    saveFile(file, parseFileName(answer.headers.get('content-disposition'), `everything.${format}`));
    return null;
  } catch {
    return signal.aborted ? null : NETWORK_FAILURE;
  }
}
