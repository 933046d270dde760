import { getSession } from '../../islands/shared/session-state.ts';
import { showToast } from '../../islands/shared/toasts-state.ts';
import { renderOwnerView } from '../scripts/view-refresh.ts';

/**
 * A character's page for its maker: what only they may see, and what they can do, comes a moment after the page that is
 * the same for everybody. A page that says that nobody is there may be one's own private character.
 */
async function renderOwnPage(): Promise<void> {
  const page = document.querySelector<HTMLElement>('[data-maker]');
  if (page === null) return;
  const { user } = await getSession();
  if (user === null || user.is_anonymous) return;
  // For those the shell draws the page anew, with all that is theirs.
  if (user.spicy_mode && 'adultView' in page.dataset) return;
  const { maker: creatorId } = page.dataset;
  if (creatorId === '' || creatorId === user.id) await renderOwnerView();
}

/** The page's address without what only this visit has in it. */
const getShareUrl = (): string => location.origin + location.pathname;

async function copyShareUrl(button: HTMLElement): Promise<void> {
  const { copied = '', failed = '' } = button.dataset;
  try {
    await navigator.clipboard.writeText(getShareUrl());
    showToast({ text: copied });
  } catch {
    showToast({ text: failed, kind: 'harm' });
  }
}

/** The device's own way to share where it has one; else the address is copied, and that is said. */
async function share(button: HTMLElement): Promise<void> {
  const shareData: ShareData = { title: button.dataset['share'] ?? '', url: getShareUrl() };
  if (!navigator.canShare?.(shareData)) return copyShareUrl(button);
  try {
    await navigator.share(shareData);
  } catch (error) {
    // Who changed their mind wants no copy either.
    if ((error as DOMException).name !== 'AbortError') await copyShareUrl(button);
  }
}

// The page may be drawn anew for whoever is here: its parts come and go.
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-share]');
  if (button !== null) void share(button);
});
void renderOwnPage();
