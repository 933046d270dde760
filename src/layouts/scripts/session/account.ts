import { getDeviceStorage } from '../../../islands/shared/device-storage.ts';
import { $session, refreshSession } from '../../../islands/shared/session-state.ts';
import type { SessionUser } from '../../../features/account/contract.ts';
import { buildChatHref } from '../../../features/conversation/conversation-link.ts';
import { api, client, readJson } from '../../../islands/shared/api.ts';
import { START_REFUSAL_KEY } from '../../../islands/sign-in/start-refusal.ts';

type Audience = 'visitor' | 'guest' | 'account';

/**
 * Sets the root element's `data-who`, which selects the elements to show in CSS: `data-when="here"` for any session,
 * `signed-in` for accounts, `not-signed-in` for everyone else, `visitor` without a session. theme-boot.js restores it before
 * the next page renders.
 */
function setAudience(audience: Audience): void {
  document.documentElement.dataset['who'] = audience;
  store('who', audience);
}

function store(key: string, value: string): void {
  try {
    getDeviceStorage()?.setItem(key, value);
  } catch {
    // Storage is full or blocked: the next page waits for the session, and does not know of a refusal.
  }
}

const getAudience = (user: SessionUser | null): Audience =>
  user === null ? 'visitor' : user.is_anonymous ? 'guest' : 'account';

/** Keeps the elements that depend on the session up to date. */
export function setUpAccount(): void {
  $session.subscribe(({ status, auth, isUnreachable }) => {
    if (isUnreachable) return;
    // The previous page's session counts until the server's response corrects it.
    if (status === 'loading' && auth === null) return;
    const user = auth?.is_authenticated ? auth.user : null;
    setAudience(getAudience(user));
  });

  // The back/forward cache may restore the page with an old session.
  window.addEventListener('pageshow', ({ persisted }) => persisted && void refreshSession());
  // The user logged in in another tab; the cookie is shared.
  window.addEventListener('storage', ({ key, newValue }) => {
    if (key === 'who' && newValue === 'account' && document.documentElement.dataset['who'] !== newValue) {
      void refreshSession();
    }
  });
}

/**
 * Starts a chat from the home page's scene. Its page then has the messages in its HTML, and without an id it would start
 * the chat by script.
 * @returns the chat's address; false when the link has no scene or that fails
 */
async function startScene({ pathname, search }: HTMLAnchorElement): Promise<string | false> {
  if (!search.includes('scene=home')) return false;
  const [, , character_id = ''] = pathname.split('/');
  const started = await readJson(
    client.conversations.$post({ json: { character_id, reuse: true, scene: 'home' } }),
  );
  return started.ok && buildChatHref(started.data.conversation);
}

/** Makes the visitor a guest, then follows the link. When that fails, the chat page asks to log in and says why. */
async function startAsGuest(link: HTMLAnchorElement): Promise<void> {
  link.ariaBusy = 'true';
  const answer = await api.enterAnonymously();
  if (answer.ok) setAudience('guest');
  else store(START_REFUSAL_KEY, answer.code);
  location.assign((answer.ok && (await startScene(link))) || link.href);
  // The back/forward cache restores the page as it was left.
  link.ariaBusy = null;
}

/**
 * Starts chats in one press: a link with `data-start-chat` makes a visitor a guest; the age sentence is under it. A link that
 * is pressed before this script runs, or opened in a new tab, leads to a page that asks to log in.
 */
export function setUpStartChat(): void {
  for (const link of document.querySelectorAll<HTMLAnchorElement>('a[data-start-chat]')) {
    link.addEventListener('click', (event) => {
      const opensElsewhere = event.ctrlKey || event.metaKey || event.shiftKey || event.altKey;
      if (opensElsewhere || document.documentElement.dataset['who'] !== 'visitor') return;
      event.preventDefault();
      if (link.ariaBusy !== 'true') void startAsGuest(link);
    });
  }
}
