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
  /** Shows the server's text; empty for none. */
  showRefusal(message: string): void;
  /** The user has fewer points than a character costs. */
  showMissingPoints(required: number): void;
  /** Creating is not possible, for an unknown reason. */
  showFailure(): void;
  showCheckFailure(): void;
  openCreatePage(): void;
}

/**
 * Checks everything that the Create Character button requires before its page opens: an account, permission and
 * points (docs/product.md).
 * @returns whether the page is opening
 */
export async function checkCreatePermission(deps: CreateCheckDeps): Promise<boolean> {
  const { user } = await deps.getSession();
  if (user === null || user.is_anonymous) {
    deps.signIn();
    return false;
  }
  const permission = await deps.api.mayCreateCharacter();
  if (!permission.ok && permission.status === 401) {
    // The session has ended.
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
    // `error` only marks a lack of points; the text is formatted here in the reader's language.
    if (points.data.error) deps.showMissingPoints(points.data.points_required);
    else deps.showFailure();
    return false;
  }
  deps.openCreatePage();
  return true;
}

/** The text in the page's language and plural form. */
function formatPointsNeeded(required: number): string {
  const forms = ['zero', 'one', 'two', 'few', 'many', 'other'].flatMap((form) => {
    const text = getLabel(`points-needed-${form}`);
    return text === '' ? [] : [[`needed_${form}`, text]];
  });
  const translate = createTranslator(document.documentElement.lang, Object.fromEntries(forms) as Messages);
  return translate('needed', { count: required });
}

/** Runs the check on this page. @param path of the create page */
export function checkCreateOnPage(path: string): Promise<boolean> {
  const showError = (text: string) => showToast({ text, kind: 'danger', durationMs: ERROR_TOAST_MS });
  return checkCreatePermission({
    api,
    getSession,
    signIn: () => openSignIn({ next: path, reason: 'required' }),
    showRefusal: (message) =>
      showToast({
        text: message || getLabel('error-occurred'),
        kind: 'danger',
        position: 'top-right',
        durationMs: PERMISSION_TOAST_MS,
      }),
    showMissingPoints: (required) => showError(formatPointsNeeded(required)),
    showFailure: () => showError(getLabel('character-create-failed')),
    showCheckFailure: () => showError(getLabel('points-check-failed')),
    openCreatePage: () => location.assign(path),
  });
}
