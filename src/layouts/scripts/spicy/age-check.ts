import { api, client, readJson } from '../../../islands/shared/api.ts';
import { refreshSession } from '../../../islands/shared/session-state.ts';
import { showToast } from '../../../islands/shared/toasts-state.ts';
import { getLabel } from '../dom.ts';

/** Session storage key, set while this tab is at the age check, so that spicy mode is only turned on afterwards. */
const AGE_CHECK_KEY = 'age-check';

/** Opens the site's age check. @returns false if it failed and the page stays */
export async function startAgeCheck(): Promise<boolean> {
  const { pathname, search } = location;
  const request = await readJson(
    client.account['age-check'].requests.$post({ json: { next: pathname + search } }),
  );
  if (!request.ok) return false;
  try {
    sessionStorage.setItem(AGE_CHECK_KEY, '1');
  } catch {
    // Storage is blocked: the user must press the switch again afterwards.
  }
  location.assign(request.data.url);
  return true;
}

/** After the check: turns spicy mode on, or says that the age was not confirmed. */
export async function finishAgeCheck(): Promise<void> {
  sessionStorage.removeItem(AGE_CHECK_KEY);
  const { user } = await refreshSession();
  if (user?.age_confirmed !== true) {
    showToast({ text: getLabel('age-unconfirmed'), kind: 'danger' });
    return;
  }
  if (user.spicy_mode) return;
  const answer = await api.changeAccount({ spicy_mode: true });
  if (answer.ok) location.reload();
  else showToast({ text: getLabel('spicy-failed'), kind: 'danger' });
}
