import { getSession } from '../../islands/shared/session-state.ts';
import { showToast } from '../../islands/shared/toasts-state.ts';
import { renderOwnerView } from '../scripts/view-refresh.ts';

/**
 * Loads the creator's view of a character page: private data and actions, shortly after the page that is the same for
 * all visitors. A «not found» page may be the user's own private character.
 */
async function renderOwnPage(): Promise<void> {
  const page = document.querySelector<HTMLElement>('[data-maker]');
  if (page === null) return;
  const { user } = await getSession();
  if (user === null || user.is_anonymous) return;
  // With spicy mode on, the shell reloads the page's content, including the creator's view.
  if (user.spicy_mode && 'adultView' in page.dataset) return;
  const { maker: creatorId } = page.dataset;
  if (creatorId === '' || creatorId === user.id) await renderOwnerView();
}

/** The page's address without query and hash. */
const getShareUrl = (): string => location.origin + location.pathname;

async function copyShareUrl(button: HTMLElement): Promise<void> {
  const { copied = '', failed = '' } = button.dataset;
  try {
    await navigator.clipboard.writeText(getShareUrl());
    showToast({ text: copied });
  } catch {
    showToast({ text: failed, kind: 'danger' });
  }
}

/** Opens the device's share dialog, or copies the address and says so. */
async function share(button: HTMLElement): Promise<void> {
  const shareData: ShareData = { title: button.dataset['share'] ?? '', url: getShareUrl() };
  if (!navigator.canShare?.(shareData)) return copyShareUrl(button);
  try {
    await navigator.share(shareData);
  } catch (error) {
    // AbortError: the user closed the share dialog, so do not copy either.
    if ((error as DOMException).name !== 'AbortError') await copyShareUrl(button);
  }
}

// Listen on the document, because the page's content may be replaced after the session is known.
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest<HTMLElement>('[data-share]');
  if (button !== null) void share(button);
});
void renderOwnPage();
