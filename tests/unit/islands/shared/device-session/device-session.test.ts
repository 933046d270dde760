import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type DeviceSession,
  compareSession,
  parseDeviceSession,
} from '../../../../../src/islands/shared/device-session/device-session.ts';

const ids = fc.constantFrom('here', 'before', 'later');
const users = fc.constantFrom('ana', 'ben', 'guest-1', 'guest-2');
const isGuestId = (id: string) => id.startsWith('guest');
const user = users.map((id) => ({ id, is_anonymous: isGuestId(id) }));
const record = fc.record({ id: ids, userId: users }).map(({ id, userId }): DeviceSession => ({
  id,
  userId,
  isGuest: isGuestId(userId),
}));
const judge = (
  stored: DeviceSession | null,
  ownId: string | null,
  who: { id: string; is_anonymous: boolean } | null,
) => compareSession(stored, ownId, who, 'new');

describe('Judging an answer about the session', () => {
  test('logging in again keeps the page and the data on the device', () => {
    fc.assert(
      fc.property(record, (stored) => {
        const who = { id: stored.userId, is_anonymous: stored.isGuest };
        for (const ownId of [null, stored.id])
          expect(judge(stored, ownId, who)).toEqual({ record: stored, isDataOver: false });
      }),
    );
  });

  test('a guest who becomes an account keeps the page and the data on the device', () => {
    for (const id of ['guest-1', 'ana']) {
      const stored = { id: 'here', userId: 'guest-1', isGuest: true };
      expect(judge(stored, 'here', { id, is_anonymous: false })).toEqual({
        record: { id: 'here', userId: id, isGuest: false },
        isDataOver: false,
      });
    }
  });

  test('data is removed when there is no session or another user’s, and never that of the session’s user', () => {
    fc.assert(
      fc.property(fc.option(record), fc.option(ids), fc.option(user), (stored, ownId, who) => {
        const { isDataOver, record: next } = judge(stored, ownId, who);
        const isOwn = stored?.userId === who?.id;
        const goesAlong = stored?.isGuest === true && who?.is_anonymous === false;
        const isForeign = stored !== null && !isOwn && !goesAlong;
        expect(isDataOver).toBe(isForeign && (ownId === null || ownId === stored.id));
        if (isDataOver) expect(next?.id).not.toBe(stored?.id);
      }),
    );
  });

  test('a page that was frozen during a logout learns of it, and leaves the next user’s data alone', () => {
    fc.assert(
      fc.property(fc.option(record), fc.option(user), (stored, who) => {
        const verdict = judge(stored, 'frozen', who);
        expect(verdict).toEqual({ record: stored, isDataOver: false });
        expect(verdict.record?.id).not.toBe('frozen');
      }),
    );
  });

  test('a login of another user without a logout removes the data of the one before', () => {
    const stored = { id: 'here', userId: 'ana', isGuest: false };
    expect(judge(stored, 'here', null)).toEqual({ record: null, isDataOver: true });
    expect(judge(stored, 'here', { id: 'ben', is_anonymous: false })).toEqual({
      record: { id: 'new', userId: 'ben', isGuest: false },
      isDataOver: true,
    });
  });

  test('the first page with a session begins the device’s record, and keeps what a visitor has written', () => {
    expect(judge(null, null, { id: 'ana', is_anonymous: false })).toEqual({
      record: { id: 'new', userId: 'ana', isGuest: false },
      isDataOver: false,
    });
    expect(judge(null, null, null)).toEqual({ record: null, isDataOver: false });
  });
});

test('a stored text that is no record counts as none', () => {
  fc.assert(fc.property(fc.string(), (text) => parseDeviceSession(text) === null));
  for (const text of [null, 'null', '[]', '{"id":1,"userId":"ana"}', '{"id":"here"}'])
    expect(parseDeviceSession(text)).toBeNull();
  const record = { id: 'here', userId: 'ana', isGuest: false };
  expect(parseDeviceSession(JSON.stringify(record))).toEqual(record);
});
