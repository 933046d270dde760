import { fetchAfterRecentLogin } from '../sign-in/recent-login.ts';
import { resolveResponse, type Failure, NETWORK_FAILURE } from '../shared/api.ts';
import { saveFile } from '../shared/ui/save-file.ts';

export type ExportFormat = 'zip' | 'json';

/** The file name from a `Content-Disposition` header, without path separators or control characters. */
export function parseFileName(disposition: string | null, fallback: string): string {
  const encodedName = /filename\*=UTF-8''([^;]+)/i.exec(disposition ?? '')?.[1];
  const plainName = /filename="?([^";]+)"?/i.exec(disposition ?? '')?.[1];
  let name = plainName ?? '';
  try {
    name = encodedName === undefined ? name : decodeURIComponent(encodedName);
  } catch {
    // Malformed encoding: use the plain name.
  }
  return name.replaceAll(/[/\\\p{Cc}]/gu, '').trim() || fallback;
}

/**
 * Downloads the user's data. Uses fetch instead of a link to show progress and errors; browsers keep a large response
 * body on disk, not in the page's memory.
 * @param onBytes called with the number of bytes received
 * @returns the failure; null when the file was saved or the download was aborted
 */
export async function downloadExport(
  format: ExportFormat,
  onBytes: (bytes: number) => void,
  signal: AbortSignal,
): Promise<Failure | null> {
  const address = `/api/account/export${format === 'json' ? '?format=json' : ''}`;
  const answer = await resolveResponse(fetchAfterRecentLogin(address, { signal }));
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
