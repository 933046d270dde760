import type { SessionUser } from '../../../features/account/contract.ts';
import { DEVICE_SESSION_KEY, getDeviceStorage } from '../device-storage.ts';

/**
 * Whose data this device holds. The record is written on the first page with a session, and removed with that data by a
 * logout, or when the server says that the session is over. Logging in again, a rotated session and a guest who becomes an
 * account keep its id, so a page knows by it whether what it shows has to go, also after it was frozen and offline.
 */
export interface DeviceSession {
  /** Random. */
  id: string;
  userId: string;
  isGuest: boolean;
}

/** Parses a stored record; null when there is none. */
export function parseDeviceSession(text: string | null): DeviceSession | null {
  try {
    const record = JSON.parse(text ?? 'null') as Partial<DeviceSession> | null;
    const isRecord = typeof record?.id === 'string' && typeof record.userId === 'string';
    return isRecord ? (record as DeviceSession) : null;
  } catch {
    return null;
  }
}

/** This device's record; null when it has none, or when its storage is blocked. */
export function readDeviceSession(): DeviceSession | null {
  try {
    return parseDeviceSession(getDeviceStorage()?.getItem(DEVICE_SESSION_KEY) ?? null);
  } catch {
    return null;
  }
}

/** @returns whether the device has stored it */
export function saveDeviceSession(record: DeviceSession): boolean {
  try {
    getDeviceStorage()?.setItem(DEVICE_SESSION_KEY, JSON.stringify(record));
  } catch {
    // Storage is full or blocked.
  }
  return readDeviceSession()?.id === record.id;
}

/**
 * Judges an answer of the server.
 * @param stored the device's record
 * @param ownId the id of the device session that the page shows; null when it shows none
 * @param user the user of the session; null when there is no session
 * @param newId a random id
 * @returns `record`: the one that the device must have from now on, null for none. The page is over if it shows another one.
 *   `isDataOver`: the data on this device is not the session's user's, and has to be removed first
 */
export function compareSession(
  stored: DeviceSession | null,
  ownId: string | null,
  user: Pick<SessionUser, 'id' | 'is_anonymous'> | null,
  newId: string,
): { record: DeviceSession | null; isDataOver: boolean } {
  // The data of a user who has logged in since the page was frozen is not the page's to remove.
  if (stored !== null && ownId !== null && stored.id !== ownId) return { record: stored, isDataOver: false };
  if (user === null || (stored === null && ownId !== null))
    return { record: null, isDataOver: stored !== null };
  // What a guest has on this device goes along into the account.
  const isSame = stored?.userId === user.id || (stored?.isGuest === true && !user.is_anonymous);
  const id = stored !== null && isSame ? stored.id : newId;
  const record = { id, userId: user.id, isGuest: user.is_anonymous };
  return { record, isDataOver: stored !== null && !isSame };
}
