import { askToSignIn } from '../sign-in/sign-in-state.ts';
import { NETWORK_FAILURE, type Failure } from '../shared/api.ts';
import { clearPendingAction, savePendingAction, readPendingAction } from './pending-action.ts';
import type { SavedItem, SavedItemKind } from './saved-lists-api.ts';
import { savedLists, isSaved } from './saved-lists-state.ts';
import { formatFailure } from '../shared/errors.ts';
import type { MessageKey, TranslateFn } from '../shared/i18n.tsx';
import { $session, getSession } from '../shared/session-state.ts';
import { ERROR_TOAST_MS, showToast, UNDO_MS } from '../shared/toasts-state.ts';

/** Texts and language for toasts. */
export interface ActionMessages {
  lang: string;
  words: TranslateFn<'choices'>;
  errors: TranslateFn<'errors'>;
}

type ToastMessageKey = Extract<MessageKey<'choices'>, string>;
const TOAST_MESSAGES: Record<SavedItemKind, { on: ToastMessageKey; off: ToastMessageKey }> = {
  favourite: { on: 'addedToFavourites', off: 'removedFromFavourites' },
  like: { on: 'liked', off: 'unliked' },
  follow: { on: 'followed', off: 'unfollowed' },
  tag: { on: 'hiddenFromLists', off: 'shownInListsAgain' },
  creator: { on: 'hiddenFromLists', off: 'shownInListsAgain' },
};

/** The tab's session storage; null when it is blocked. */
function getTabStorage(): Storage | null {
  try {
    return globalThis.sessionStorage ?? null;
  } catch {
    return null;
  }
}

const getPageContext = () => ({ path: location.pathname, now: Date.now() });

/** The signed-in account's id, which becomes the owner of the saved lists; null for guests and signed-out users. */
async function getAccountId(): Promise<string | null> {
  const { user } = await getSession();
  const owner = user === null || user.is_anonymous ? null : user.id;
  savedLists.setOwner(owner);
  return owner;
}

function showFailure(failure: Pick<Failure, 'code' | 'error'>, { errors, lang }: ActionMessages): void {
  showToast({ text: formatFailure(failure, errors, lang), kind: 'danger', durationMs: ERROR_TOAST_MS });
}

async function saveAndNotify(
  choice: SavedItem,
  on: boolean,
  messages: ActionMessages,
): Promise<Failure | null> {
  const failure = await savedLists.choose(choice, on);
  if (failure !== null) {
    if (failure.status !== 401) showFailure(failure, messages);
    return failure;
  }
  const { words } = messages;
  const { kind, name } = choice;
  // The user has clicked again in the meantime; the toast of that click follows.
  if (isSaved(savedLists.$state.get(), choice) !== on) return null;
  showToast({
    text: words(TOAST_MESSAGES[kind][on ? 'on' : 'off'], { name }),
    durationMs: UNDO_MS,
    action: { label: words('undo'), run: () => void choose(choice, !on, messages) },
  });
  return null;
}

/**
 * Saves or removes an item, shows a toast and offers to undo it. Users without an account are asked to sign in first; the
 * action waits until then. Failures are shown.
 */
export async function choose(choice: SavedItem, on: boolean, telling: ActionMessages): Promise<void> {
  if (!navigator.onLine) return showFailure(NETWORK_FAILURE, telling);
  const owner = await getAccountId();
  if (owner !== null) {
    const failure = await saveAndNotify(choice, on, telling);
    if (failure?.status !== 401) return;
  }
  savePendingAction(getTabStorage(), { choice, on, owner }, getPageContext());
  if (!(await askToSignIn({ reason: 'required' }))) return clearPendingAction(getTabStorage());
  await resumePendingAction(telling);
}

/**
 * Runs the action that the user clicked on this page before signing in. An action of an account whose session ended is
 * never run for another account: that is an error toast.
 */
export async function resumePendingAction(telling: ActionMessages): Promise<void> {
  const action = readPendingAction(getTabStorage(), getPageContext());
  if (action === null) return;
  const now = await getAccountId();
  if (now === null) {
    if (!(await getSession()).is_authenticated) return;
    showFailure({ code: 'account_required', error: '' }, telling);
  } else if (action.owner !== null && action.owner !== now)
    showFailure({ code: 'other_account', error: '' }, telling);
  else await saveAndNotify(action.choice, action.on, telling);
  clearPendingAction(getTabStorage());
}

/**
 * Follows the session, and loads the user's hidden list.
 * @returns a function that stops following
 */
export function syncWithSession(): () => void {
  return $session.subscribe(({ status, auth }) => {
    if (status !== 'known') return;
    const user = auth?.user ?? null;
    savedLists.setOwner(user === null || user.is_anonymous ? null : user.id);
    void savedLists.loadHidden();
  });
}
