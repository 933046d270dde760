import { BODY_LIMITS } from '../../../config/body-limits.ts';
import type { LineProblem } from '../../../features/conversation/files/chat-file.ts';
import type { Conversation } from '../../../features/conversation/contract.ts';
import type { RefusalRule } from '../../../features/safety/moderation.ts';
import { type Failure, getStorageUse } from '../../shared/api.ts';
import type { MessageKey } from '../../shared/i18n.tsx';
import { sendForm } from '../../shared/send-form.ts';

/** The result of an import: the conversation, the first unreadable line, or a failure. */
export type ImportResult =
  | { ok: true; conversation: Conversation }
  | { ok: false; line: number; reason: LineProblem }
  | (Pick<Failure, 'ok' | 'code' | 'error' | 'refused' | 'storage'> & { line?: undefined });

/** The largest file that can be imported, in MiB, rounded down. */
export const MAX_FILE_MB = Math.floor(BODY_LIMITS.chatFile / 1024 / 1024);

export const isTooLarge = (file: Pick<File, 'size'>): boolean => file.size > BODY_LIMITS.chatFile;

const NETWORK_ERROR = { ok: false, code: 'network', error: '' } as const;

/** The text for a failed import: without an answer, the server may have imported the file. */
export const getImportFailureKey = (code: string): MessageKey<'chat'> =>
  code === 'not_found'
    ? 'importCharacterUnavailable'
    : code === NETWORK_ERROR.code
      ? 'importUnconfirmed'
      : 'importFailed';

/**
 * Uploads a conversation file.
 * @param onProgress gets the fraction of the file that has been sent, from 0 to 1
 */
export async function importChatFile(
  file: File,
  characterId: string,
  onProgress: (part: number) => void,
  signal: AbortSignal,
): Promise<ImportResult> {
  const form = new FormData();
  form.set('character_id', characterId);
  form.set('file', file);
  try {
    const answer = await sendForm('/api/conversations/import', form, { onProgress, signal });
    return parseImportResponse(answer.status, await answer.text());
  } catch {
    return NETWORK_ERROR;
  }
}

/** Parses the server's answer. Anything but the documented JSON counts as a server error. */
export function parseImportResponse(status: number, text: string): ImportResult {
  let body: Record<string, unknown> = {};
  try {
    body = (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    // Falls through to a server error.
  }
  if (status === 201 && body['conversation'])
    return { ok: true, conversation: body['conversation'] as Conversation };
  const { code, error, line, reason_code: reason, rule, refused_text: refused, appeal_token: token } = body;
  if (code === 'import_line_invalid' && typeof line === 'number')
    return { ok: false, line, reason: reason as LineProblem };
  return {
    ok: false,
    code: typeof code === 'string' ? code : 'server_error',
    error: typeof error === 'string' ? error : '',
    ...getStorageUse(body),
    ...(typeof refused === 'string'
      ? {
          refused: {
            rule: rule as RefusalRule,
            text: refused,
            ...(typeof token === 'string' ? { token } : {}),
          },
        }
      : {}),
  };
}
