import type { AuthStatus } from '../../features/account/contract.ts';
import { type AccountApi, api } from '../../islands/shared/api.ts';
import { knownSession } from '../../islands/shared/session-state.ts';
import { ERROR_TOAST_MS, PERMISSION_TOAST_MS, showToast } from '../../islands/shared/toasts-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';
import { word } from './parts.ts';

export interface CreateCharacterDeps {
  api: Pick<AccountApi, 'mayCreateCharacter' | 'checkCharacterPoints'>;
  session(): Promise<AuthStatus>;
  signIn(): void;
  /** With the server's own sentence; empty when it had none. */
  refused(message: string): void;
  /** Fewer points than an action needs, with the server's own sentence. */
  pointsMissing(required: number, message: string): void;
  checkFailed(): void;
  go(): void;
}

/**
 * What stands between the Create Character button and its page: an account, the permission, the points (SPEC
 * sections 4 and 8).
 * @returns whether the page is on its way
 */
export async function askToCreate(deps: CreateCharacterDeps): Promise<boolean> {
  const { user } = await deps.session();
  if (user === null || user.is_anonymous) {
    deps.signIn();
    return false;
  }
  const permission = await deps.api.mayCreateCharacter();
  if (!permission.ok && permission.status === 401) {
    // The session ended meanwhile.
    deps.signIn();
    return false;
  }
  if (!permission.ok || !permission.data.success) {
    deps.refused(permission.ok ? (permission.data.error_message ?? '') : permission.error);
    return false;
  }
  const points = await deps.api.checkCharacterPoints();
  if (!points.ok) {
    deps.checkFailed();
    return false;
  }
  if (!points.data.success) {
    deps.pointsMissing(points.data.points_required, points.data.error ?? '');
    return false;
  }
  deps.go();
  return true;
}

/** Asks on this page. @param path of the create page */
export function askOnPage(path: string): Promise<boolean> {
  const harm = (text: string) => showToast({ text, kind: 'harm', durationMs: ERROR_TOAST_MS });
  return askToCreate({
    api,
    session: knownSession,
    signIn: () => openSignIn({ next: path, reason: 'required' }),
    refused: (message) =>
      showToast({
        text: message || word('error-occurred'),
        kind: 'harm',
        place: 'top-right',
        durationMs: PERMISSION_TOAST_MS,
      }),
    // The page's own words name what it cost when the page was drawn; for another the server's sentence is the true one.
    pointsMissing: (required, message) =>
      harm(word('character-cost') === `${required}` ? word('points-needed') : message),
    checkFailed: () => harm(word('points-check-failed')),
    go: () => location.assign(path),
  });
}
