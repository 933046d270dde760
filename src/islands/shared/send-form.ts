import type { UploadedPicture } from '../../features/picture/contract.ts';
import { resolveResponse, NETWORK_FAILURE, type Result, TAB_ID } from './api.ts';

export interface UploadOptions {
  /** Called with the fraction that has been sent, from 0 to 1. */
  onProgress?: (part: number) => void;
  signal: AbortSignal;
}

/**
 * Posts a form. Uses XMLHttpRequest, because `fetch` does not report upload progress.
 * @throws when there is no answer or the request was aborted
 */
export function sendForm(
  address: string,
  form: FormData,
  { onProgress: onSent, signal }: UploadOptions,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', address);
    request.setRequestHeader('x-tab', TAB_ID);
    const fail = () => reject(new TypeError('No answer came'));
    if (onSent) {
      request.upload.addEventListener('progress', ({ loaded, total }) =>
        onSent(total > 0 ? loaded / total : 0),
      );
      request.upload.addEventListener('load', () => onSent(1));
    }
    request.addEventListener('load', () => {
      const { status, responseText } = request;
      const retryAfter = request.getResponseHeader('retry-after');
      const headers = new Headers(retryAfter === null ? [] : [['retry-after', retryAfter]]);
      resolve(new Response(status === 204 ? null : responseText, { status, headers }));
    });
    request.addEventListener('error', fail);
    request.addEventListener('abort', fail);
    signal.addEventListener('abort', () => request.abort());
    if (signal.aborted) fail();
    else request.send(form);
  });
}

/** Posts a form and reads the JSON answer. */
export async function uploadForm<T>(
  address: string,
  form: FormData,
  options: UploadOptions,
): Promise<Result<T>> {
  const answer = await resolveResponse(sendForm(address, form, options));
  if ('code' in answer) return answer;
  try {
    return { ok: true, data: (await answer.json()) as T };
  } catch {
    return NETWORK_FAILURE;
  }
}

/** Uploads a picture; other calls then refer to it. @param forLists the picture at list size, in base64 */
export function sendPicture(
  picture: Blob,
  sending: UploadOptions,
  forLists: string | null = null,
): Promise<Result<UploadedPicture>> {
  const form = new FormData();
  if (forLists !== null) form.set('list', forLists);
  form.set('file', picture, 'avatar');
  return uploadForm('/api/uploads/avatar', form, sending);
}
