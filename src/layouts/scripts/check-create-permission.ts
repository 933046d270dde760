import type { AuthStatus } from '../../features/account/contract.ts';
import { type AccountApi, api } from '../../islands/shared/api.ts';
import { type Messages, createTranslator } from '../../islands/shared/translator.ts';
import { getSession } from '../../islands/shared/session-state.ts';
import { ERROR_TOAST_MS, PERMISSION_TOAST_MS, showToast } from '../../islands/shared/toasts-state.ts';
import { openSignIn } from '../../islands/sign-in/sign-in-state.ts';
import { getLabel } from './dom.ts';

export interface CreateCheckDeps {
  api: Pick<AccountApi, 'mayCreateCharacter' | 'checkCharacterPoints'>;
  getSession(): Promise<AuthStatus>;
  signIn(): void;
  /** With the server's own sentence; empty when it had none. */
  showRefusal(message: string): void;
  /** Fewer points than a character costs now. */
  showMissingPoints(required: number): void;
  /** It cannot be, and nobody says why. */
  showFailure(): void;
  showCheckFailure(): void;
  openCreatePage(): void;
}

/**
 * What stands between the Create Character button and its page: an account, the permission, the points (SPEC
 * sections 4 and 8).
 * @returns whether the page is on its way
 */
export async function checkCreatePermission(deps: CreateCheckDeps): Promise<boolean> {
  const { user } = await deps.getSession();
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
    deps.showRefusal(permission.ok ? (permission.data.error_message ?? '') : permission.error);
    return false;
  }
  const points = await deps.api.checkCharacterPoints();
  if (!points.ok) {
    deps.showCheckFailure();
    return false;
  }
  if (!points.data.success) {
    // The server says why, if it can; what it says is said here in the reader's language.
    if (points.data.error) deps.showMissingPoints(points.data.points_required);
    else deps.showFailure();
    return false;
  }
  deps.openCreatePage();
  return true;
}

/** In the page's language, with its plural forms. */
function formatPointsNeeded(required: number): string {
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other'].flatMap((form) => {
    const text = getLabel(`points-needed-${form}`);
    return text === '' ? [] : [[`needed_${form}`, text]];
  });
  const translate = createTranslator(document.documentElement.lang, Object.fromEntries(forms) as Messages);
  return translate('needed', { count: required });
}

/** Asks on this page. @param path of the create page */
export function checkCreateOnPage(path: string): Promise<boolean> {
  const showError = (text: string) => showToast({ text, kind: 'harm', durationMs: ERROR_TOAST_MS });
  return checkCreatePermission({
    api,
    getSession,
    signIn: () => openSignIn({ next: path, reason: 'required' }),
    showRefusal: (message) =>
      showToast({
        text: message || getLabel('error-occurred'),
        kind: 'harm',
        position: 'top-right',
        durationMs: PERMISSION_TOAST_MS,
      }),
    showMissingPoints: (required) => showError(formatPointsNeeded(required)),
    showFailure: () => showError(getLabel('character-create-failed')),
    showCheckFailure: () => showError(getLabel('points-check-failed')),
    openCreatePage: () => location.assign(path),
  });
}
