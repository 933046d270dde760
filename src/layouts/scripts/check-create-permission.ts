import type { AuthStatus } from '../../features/account/contract.ts';
import { type AccountApi, api } from '../../islands/shared/api.ts';
import { fetchDictionary } from '../../islands/shared/load-messages.ts';
import { createTranslator } from '../../islands/shared/translator.ts';
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

const ERROR_TOAST = { kind: 'danger', durationMs: ERROR_TOAST_MS } as const;
const PERMISSION_TOAST = { kind: 'danger', position: 'top-right', durationMs: PERMISSION_TOAST_MS } as const;

/**
 * Runs the check on this page.
 * @param path of the create page
 * @throws when the texts of a refusal cannot be loaded
 */
export async function checkCreateOnPage(path: string): Promise<boolean> {
  const failures: { key: string; count?: number; toast: typeof ERROR_TOAST | typeof PERMISSION_TOAST }[] = [];
  const isOpening = await checkCreatePermission({
    api,
    getSession,
    signIn: () => openSignIn({ next: path, reason: 'required' }),
    showRefusal: (message) =>
      message === ''
        ? failures.push({ key: 'error_occurred', toast: PERMISSION_TOAST })
        : showToast({ text: message, ...PERMISSION_TOAST }),
    showMissingPoints: (count) => failures.push({ key: 'points_needed', count, toast: ERROR_TOAST }),
    showFailure: () => failures.push({ key: 'character_create_failed', toast: ERROR_TOAST }),
    showCheckFailure: () => failures.push({ key: 'points_check_failed', toast: ERROR_TOAST }),
    openCreatePage: () => location.assign(path),
  });
  const [failure] = failures;
  if (failure !== undefined) {
    const { errors } = await fetchDictionary<'errors'>({ errors: getLabel('errors') });
    const { key, count, toast } = failure;
    const translate = createTranslator(document.documentElement.lang, errors);
    showToast({ text: translate(key, count === undefined ? {} : { count }), ...toast });
  }
  return isOpening;
}
