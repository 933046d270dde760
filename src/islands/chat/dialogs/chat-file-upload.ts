import { BODY_LIMITS } from '../../../config/body-limits.ts';
import type { LineProblem } from '../../../features/conversation/files/chat-file.ts';
import type { Conversation } from '../../../features/conversation/contract.ts';
import type { RefusalRule } from '../../../features/safety/moderation.ts';
import type { Failure } from '../../shared/api.ts';
import { sendForm } from '../../shared/send-form.ts';

/** How bringing a chat in ended: with its conversation, with the first line that cannot be read, or with a failure. */
export type BroughtIn =
  | { ok: true; conversation: Conversation }
  | { ok: false; line: number; reason: LineProblem }
  | (Pick<Failure, 'ok' | 'code' | 'error' | 'refused'> & { line?: undefined });

/** The largest file that can be brought in, in megabytes as people count them. */
export const MAX_FILE_MB = Math.floor(BODY_LIMITS.chatFile / 1024 / 1024);

export const isTooLarge = (file: Pick<File, 'size'>): boolean => file.size > BODY_LIMITS.chatFile;

const NETWORK = { ok: false, code: 'network', error: '' } as const;

/**
 * Sends a chat file.
 * @param onSent the part of the file that has been sent, from 0 to 1
 */
export async function bringChatIn(
  file: File,
  characterId: string,
  onSent: (part: number) => void,
  signal: AbortSignal,
): Promise<BroughtIn> {
  const form = new FormData();
  form.set('character_id', characterId);
  form.set('file', file);
  try {
    const answer = await sendForm('/api/conversations/import', form, { onSent, signal });
    return readAnswer(answer.status, await answer.text());
  } catch {
    return NETWORK;
  }
}

/** What the server answered; what is not the contract's JSON counts as a fault of the server. */
export function readAnswer(status: number, text: string): BroughtIn {
  let said: Record<string, unknown> = {};
  try {
    said = (JSON.parse(text) ?? {}) as Record<string, unknown>;
  } catch {
    // Told as a fault of the server below.
  }
  if (status === 201 && said['conversation'])
    return { ok: true, conversation: said['conversation'] as Conversation };
  const { code, error, line, reason_code: reason, rule, refused_text: refused, appeal_token: token } = said;
  if (code === 'import_line_invalid' && typeof line === 'number')
    return { ok: false, line, reason: reason as LineProblem };
  return {
    ok: false,
    code: typeof code === 'string' ? code : 'server_error',
    error: typeof error === 'string' ? error : '',
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
