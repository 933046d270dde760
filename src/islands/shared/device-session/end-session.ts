import type { SessionUser } from '../../../features/account/contract.ts';
import { api } from '../api.ts';
import { getDeviceStorage } from '../device-storage.ts';
import { clearOfflineCopies } from '../offline-copies.ts';
import { $session, SIGNED_OUT } from '../session-state.ts';
import { clearUserStorage } from '../user-storage.ts';
import {
  compareSession,
  readDeviceSession,
  saveDeviceSession,
  type DeviceSession,
} from './device-session.ts';

/** Attribute of a page whose HTML contains a user's messages. */
const PRIVATE_HTML = '[data-opened-chat]';

/** The device session that this page shows; null when it shows none, or the device cannot store it. */
let ownId: string | null = null;
/** The page's latest user. */
let latestUser: SessionUser | null = null;
let isLeaving = false;

/** Code for the moment when a session seems to end, which is rare and needs the network anyway. */
const loadConfirmation = () => import('./confirm-end.ts');

/** Waits for logins in other tabs. */
export const waitForLogins = (): Promise<void> =>
  loadConfirmation()
    .then((confirmation) => confirmation.waitForLogins())
    .catch(() => {});

/** Call it before anything of a user is shown. */
export function startDeviceSession(): void {
  ownId = readDeviceSession()?.id ?? null;
}

/** Adopts the record that another tab of the same user has stored. */
export function acceptDeviceSession({ id, userId }: DeviceSession): void {
  if (latestUser?.id === userId) ownId = id;
}

/**
 * Applies the server's answer to the device and the page: data of a session that is over is removed, and the page left.
 * @param user the user of the session; null when there is none
 */
export function applySession(user: SessionUser | null): void {
  const before = latestUser;
  latestUser = user;
  const stored = readDeviceSession();
  if (user === null && before === null) {
    const isPrivate = document.querySelector(PRIVATE_HTML) !== null;
    if (stored !== null || isPrivate)
      loadConfirmation()
        .then(({ removeLeftData }) => removeLeftData(isPrivate))
        .catch(() => {});
    return;
  }
  const { record, isDataOver } = compareSession(stored, ownId, user, crypto.randomUUID());
  const isOver = user === null || isDataOver || (ownId !== null && record?.id !== ownId);
  const leaves = isOver && before !== null;
  // A device that could not store a record may hold drafts nevertheless.
  const cleared = isDataOver || (leaves && stored === null) ? clearDevice() : undefined;
  if (leaves) return void leavePage(cleared);
  ownId = record !== null && saveDeviceSession(record) ? record.id : null;
  // A suspended user's session and drafts stay, but their chats are not shown any more.
  if (before !== null && before.suspended_at === undefined && user?.suspended_at !== undefined)
    void leavePage();
}

/** Leaves the page if its device session has ended, which needs no network. */
export function checkDeviceSession(): void {
  if (ownId === null) return;
  const stored = readDeviceSession();
  if (stored?.id === ownId) return;
  // Another tab has removed the data, but not what this page has stored since. Leave the next user's alone.
  void leavePage(stored === null ? clearDevice() : undefined);
}

/** Removes everything of the user from this device. */
export function clearDevice(): Promise<void> {
  ownId = null;
  clearUserStorage(getDeviceStorage());
  return clearOfflineCopies();
}

/**
 * Hides the page at once, also when the network is gone, and opens its address again. Until then it stores nothing. Public
 * pages come back with what is public.
 * @param cleared resolves when the offline copies are removed
 * @param open opens the next page
 */
export async function leavePage(cleared?: Promise<void>, open = openAgain): Promise<void> {
  if (isLeaving) return;
  isLeaving = true;
  document.documentElement.style.display = 'none';
  // Some twenty places of a page store texts, also while it is left.
  Storage.prototype.setItem = () => {};
  try {
    sessionStorage.clear();
  } catch {
    // Storage is blocked, so it holds nothing.
  }
  window.addEventListener('beforeunload', (event) => event.stopImmediatePropagation(), { capture: true });
  // The back/forward cache may restore this page.
  window.addEventListener('pageshow', ({ persisted }) => persisted && openAgain());
  await cleared;
  open();
}

/** Without the words of a search, and without the hash: an address that only adds one is not loaded. */
function openAgain(): void {
  const address = new URL(location.href);
  address.searchParams.delete('q');
  address.hash = '';
  location.replace(address);
}

/** Removes the user's data from this device and marks the page as signed out. Other tabs leave their pages; this one stays. */
export async function endDeviceSession(): Promise<void> {
  const cleared = clearDevice();
  latestUser = null;
  $session.set({ status: 'known', auth: SIGNED_OUT });
  await cleared;
}

/**
 * Ends the session, removes the user's data from this device, and opens the home page.
 * @returns false when the server could not be reached: the session is still valid, and the page stays
 */
export async function logout(): Promise<boolean> {
  const answer = await api.logout();
  if (!answer.ok && answer.status !== 401) return false;
  await leavePage(clearDevice(), () => location.assign('/'));
  return true;
}
