import type { AuthStatus } from '../../features/account/contract.ts';
import { type AccountApi, api } from '../../islands/shared/api.ts';
import { type Messages, reader } from '../../islands/shared/translator.ts';
import { knownSession } from '../../islands/shared/session-state.ts';
import { ERROR_TOAST_MS, PERMISSION_TOAST_MS, showToast } from '../../islands/shared/toasts-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';
import { word } from './dom.ts';

export interface CreateCharacterDeps {
  api: Pick<AccountApi, 'mayCreateCharacter' | 'checkCharacterPoints'>;
  session(): Promise<AuthStatus>;
  signIn(): void;
  /** With the server's own sentence; empty when it had none. */
  refused(message: string): void;
  /** Fewer points than a character costs now. */
  pointsMissing(required: number): void;
  /** It cannot be, and nobody says why. */
  failed(): void;
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
    // The server says why, if it can; what it says is said here in the reader's language.
    if (points.data.error) deps.pointsMissing(points.data.points_required);
    else deps.failed();
    return false;
  }
  deps.go();
  return true;
}

/** In the page's language, with its plural forms. */
function pointsNeeded(required: number): string {
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other'].flatMap((form) => {
    const text = word(`points-needed-${form}`);
    return text === '' ? [] : [[`needed_${form}`, text]];
  });
  const read = reader(document.documentElement.lang, Object.fromEntries(forms) as Messages);
  return read('needed', { count: required });
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
    pointsMissing: (required) => harm(pointsNeeded(required)),
    failed: () => harm(word('character-create-failed')),
    checkFailed: () => harm(word('points-check-failed')),
    go: () => location.assign(path),
  });
}
