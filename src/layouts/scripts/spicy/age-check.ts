import { api, client, dataOf } from '../../../islands/shared/api.ts';
import { refreshSession } from '../../../islands/shared/session-state.ts';
import { showToast } from '../../../islands/shared/toasts-state.ts';
import { word } from '../dom.ts';

/** Kept while this tab is away, so that only who left for a check finds spicy mode on when they come back. */
const LEFT_FOR_CHECK = 'age-check';

/** Leaves for whoever checks ages for this site. @returns false when that did not work, and the page stays */
export async function goToCheck(): Promise<boolean> {
  const { pathname, search } = location;
  const asked = await dataOf(
    client.account['age-check'].requests.$post({ json: { next: pathname + search } }),
  );
  if (!asked.ok) return false;
  try {
    sessionStorage.setItem(LEFT_FOR_CHECK, '1');
  } catch {
    // Storage is closed: the switch is pressed once more after coming back.
  }
  location.assign(asked.data.url);
  return true;
}

/** After a check: turns on what was wanted, or says that the age was not confirmed. */
export async function comeBack(): Promise<void> {
  sessionStorage.removeItem(LEFT_FOR_CHECK);
  const { user } = await refreshSession();
  if (user?.age_confirmed !== true) {
    showToast({ text: word('age-unconfirmed'), kind: 'harm' });
    return;
  }
  if (user.spicy_mode) return;
  const answer = await api.changeAccount({ spicy_mode: true });
  if (answer.ok) location.reload();
  else showToast({ text: word('spicy-failed'), kind: 'harm' });
}
