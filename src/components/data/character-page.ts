import { knownSession } from '../../islands/shared/session-state.ts';
import { showToast } from '../../islands/shared/toasts-state.ts';
import { drawForMaker } from '../scripts/adult-view.ts';

/**
 * A character's page for its maker: what only they may see, and what they can do, comes a moment after the page that is
 * the same for everybody. A page that says that nobody is there may be one's own private character.
 */
async function drawOwn(): Promise<void> {
  const page = document.querySelector<HTMLElement>('[data-maker]');
  if (page === null) return;
  const { user } = await knownSession();
  if (user === null || user.is_anonymous) return;
  // For those the shell draws the page anew, with all that is theirs.
  if (user.spicy_mode && 'adultView' in page.dataset) return;
  const { maker } = page.dataset;
  if (maker === '' || maker === user.id) await drawForMaker();
}

/** The page's address without what only this visit has in it. */
const ownAddress = (): string => location.origin + location.pathname;

async function copyAddress(button: HTMLElement): Promise<void> {
  const { copied = '', failed = '' } = button.dataset;
  try {
    await navigator.clipboard.writeText(ownAddress());
    showToast({ text: copied });
  } catch {
    showToast({ text: failed, kind: 'harm' });
  }
}

/** The device's own way to share where it has one; else the address is copied, and that is said. */
async function share(button: HTMLElement): Promise<void> {
  const what: ShareData = { title: button.dataset['share'] ?? '', url: ownAddress() };
  if (!navigator.canShare?.(what)) return copyAddress(button);
  try {
    await navigator.share(what);
  } catch (error) {
    // Who changed their mind wants no copy either.
    if ((error as DOMException).name !== 'AbortError') await copyAddress(button);
  }
}

// The page may be drawn anew for whoever is here: its parts come and go.
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-share]');
  if (button !== null) void share(button);
});
void drawOwn();
